const { setImmediate, setTimeout } = require('node:timers/promises');

async function fail(text) {
  await setImmediate();
  throw new Error(text); //@mark races
}

async function late(text) {
  await setTimeout(20);
  await fail(text);
}

async function main() {
  try {
    await Promise.race([fail('1'), setTimeout(600_000, null, { ref: false })]);
  } catch {
    console.log('caught 1');
  }
  await Promise.any([fail('2'), setTimeout(5)]);
  await Promise.any([late('3'), setTimeout(1)]);
  await setTimeout(100); // its error comes before
  await fail('the last');
}

main();
