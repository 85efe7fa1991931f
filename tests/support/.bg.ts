import build, { TEST_SCRIPT_HOST } from '/work/main/tests/support/build-script-host.ts';
import { ScriptHostPool } from '/work/main/src-main/sandbox/supervisor/script-host-pool.ts';
import { spawn, execFileSync } from 'node:child_process';
import { encodeFrame, FrameReader } from '/work/main/src-main/sandbox/protocol/frames.ts';
import { readFileSync } from 'node:fs';
await build();
const limits={scriptMs:20000,totalMs:50000,memoryMb:128,consoleEntries:100,resultBytes:16<<20,bodyBytes:1<<20};
const col=(t:any[])=>({values:t.map(()=>12.5),qualities:t.map(()=>'Good'),types:t.map(()=>'Double')});
const calls={get:col,set:col} as any;
const job=(body:string)=>({body,context:{tagName:'A.B.C',tagScopeDiagram:null,tagScopeLocation:null},limits,calls});
const runs=async(pool:any,n:number,par:number,body='return 1+1')=>{let left=n;const s=performance.now();await Promise.all(Array.from({length:par},async()=>{while(left-->0){const o=await pool.run(job(body));if(o.status!=='ok')throw o}}));return n/(performance.now()-s)*1000};
const bare=(mode:string)=>+execFileSync(process.execPath,['--no-node-snapshot','-e',`
const m={exports:{}};process.dlopen(m,'/work/main/node_modules/isolated-vm/prebuilds/linux-x64/isolated-vm.abi147.glibc.node');const ivm=m.exports.ivm;
const N=${mode==='iso'?400:1500};let iso=new ivm.Isolate({memoryLimit:128});const code='(async function(){return 1+1})().then(v=>JSON.stringify(v))';let sc=iso.compileScriptSync(code);
const one=()=>{${mode==='iso'?'iso.dispose();iso=new ivm.Isolate({memoryLimit:128});sc=iso.compileScriptSync(code);':''}const c=iso.createContextSync();sc.runSync(c);c.release();};
for(let i=0;i<100;i++)one();const s=performance.now();for(let i=0;i<N;i++)one();console.log(N/(performance.now()-s)*1000)`]).toString();
const echo=async(n:number,payload:string,answer:string)=>{const c=spawn(process.execPath,['/tmp/m/echo.cjs',String(n),payload],{stdio:['ignore','ignore','inherit','pipe'],env:{}});const p=c.stdio[3] as any;
 const a=encodeFrame(2,answer);let done:any;const r=new FrameReader(()=>1e6);p.on('data',(ch:Buffer)=>r.push(ch,(t,x)=>{if(t===18)p.write(encodeFrame(2,answer));else done?.(x);return true}));
 await new Promise(f=>done=f);let best=Infinity;for(let k=0;k<3;k++){p.write(encodeFrame(1,''));best=Math.min(best,+(await new Promise<string>(f=>done=f)))}p.destroy();c.kill();return best};
const p1=new ScriptHostPool({hostFile:TEST_SCRIPT_HOST,nodeBinary:process.execPath,count:1,spare:false});
const p2=new ScriptHostPool({hostFile:TEST_SCRIPT_HOST,nodeBinary:process.execPath,count:2,spare:true});
const get=process.argv[2]??'const t=["Bottling.Line1.Filler.Speed","Bottling.Line1.Filler.State"];for(let i=0;i<20000;i++)TagValueManager.Get(t);return 0';
const answer=JSON.stringify({value:col([1,2])}), payload='["get",1,["Bottling.Line1.Filler.Speed","Bottling.Line1.Filler.State"],"",""]';
let be=1e9,bg=1e9;
for(let r=0;r<8;r++){const e=await echo(20000,payload,answer);const o=await p1.run(job(get));const g=o.timing.totalMs*1000/20000;be=Math.min(be,e);bg=Math.min(bg,g);}
console.log(`min echo ${be.toFixed(1)} get ${bg.toFixed(1)} ratio ${(be/bg).toFixed(2)}`);
await p1.close();await p2.close();
