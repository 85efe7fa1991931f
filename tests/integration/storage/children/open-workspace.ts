import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { openWorkspaceStore } from '../../../../src-main/storage/workspace/workspace-store.ts';

// Opens the workspace, prints the outcome in one line of JSON, and keeps it open until its input ends.
const [directory = ''] = process.argv.slice(2);
try {
  const store = openWorkspaceStore(directory);
  store.lock.publish({ url: `ws://127.0.0.1:${process.pid}`, token: 'secret' });
  console.log(JSON.stringify({ opened: true, created: store.created }));
  process.stdin.resume().once('end', () => store.close());
} catch (thrown) {
  if (!(thrown instanceof TagwrightError)) throw thrown;
  const { code, message, data } = thrown;
  console.log(JSON.stringify({ code, message, data }));
}
