const { setImmediate, setTimeout } = require('node:timers/promises');

async function fail(text) {
  await setImmediate();
  throw new Error(text); //@mark races
}

async function failLater(text) {
  await setTimeout(5);
  throw new Error(text);
}

async function main() {
  try {
    await Promise.race([fail('1'), setTimeout(50)]);
  } catch {
    console.log('caught 1');
  }
  await Promise.any([fail('2'), setTimeout(5)]);
  await Promise.any([setTimeout(0), setTimeout(5).then(() => fail('3'))]);
  await Promise.any([setTimeout(0), failLater('4')]);
  await setTimeout(20);
  await fail('the last');
}

main();
