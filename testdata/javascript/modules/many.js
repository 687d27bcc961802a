let caught = 0;
for (let i = 0; i < 500; i++) {
  try {
    throw new Error('number ' + i);
  } catch {
    caught++;
  }
}
console.log('caught', caught);
throw new Error('the last'); //@mark many
