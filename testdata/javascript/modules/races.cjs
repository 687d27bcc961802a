const { setImmediate, setTimeout } = require('node:timers/promises');

async function fail(text) {
  await setImmediate();
  throw new Error(text); //@mark races
}

async function main() {
  try {
    await Promise.race([fail('1'), setTimeout(50)]);
  } catch {
    console.log('caught 1');
  }
  await Promise.any([fail('2'), setTimeout(5)]);
  await fail('the last');
}

main();
