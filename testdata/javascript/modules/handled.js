import { setImmediate } from 'node:timers/promises';

async function fail(text) {
  await setImmediate();
  throw new Error(text); //@mark handled
}

async function failAtOnce(text) {
  throw new Error(`${text} (${text})`);
}

const nothing = [];
await fail('1').catch((error) => nothing.push(error));
await fail(`2 ${`${nothing.length}`}`)
  .then(() => 1) // and on the next line
  .catch(() => 2);
await fail('3'.replace(/\(/g, '')).finally(() => 3).then(() => 4, () => 5);
await Promise.allSettled([fail('4'), fail('5')]);
await failAtOnce('6').catch(() => 6);
await (async () => await failAtOnce('7')?.catch(() => 7))();
console.log('handled', nothing.length);

const tried = await fail('the last').then((one) => one, ).finally(() => nothing.pop()), never = await fail('8').catch(() => 8);
