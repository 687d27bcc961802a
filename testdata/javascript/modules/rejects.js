async function later(n) {
  await null;
  throw new TypeError('later ' + n); //@mark rejects
}

try {
  await later(1);
} catch (error) {
  console.log('caught', error.message);
}
later(2).catch((error) => console.log('caught', error.message));
await new Promise((done) => setTimeout(done, 20));
await later(3);
