// Runs the program that its first argument names, when the launcher says so: it checks the build in the meantime, and nothing
// of the build is read before. The program sees its usual arguments.
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

process.argv.splice(1, 1);
// The launcher has ended.
const end = () => process.exit(143);
process.once('disconnect', end);
await once(process, 'message');
process.off('disconnect', end);
await import(pathToFileURL(process.argv[1]).href);
