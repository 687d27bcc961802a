// Starts vitest as its own command does, with the runner beside this file.
import { fileURLToPath } from 'node:url';

const home = new URL('dist/', process.env.AIDB_VITEST);
const { parseCLI, startVitest } = await import(new URL('node.js', home).href);
if (parseCLI && startVitest) {
  const { filter, options } = parseCLI(['vitest', ...process.argv.slice(2)]);
  options.runner = fileURLToPath(new URL('vitest-runner.mjs', import.meta.url));
  const vitest = await startVitest('test', filter, options);
  if (!vitest?.shouldKeepServer()) await vitest?.exit();
} else {
  await import(new URL('cli.js', home).href);
}
