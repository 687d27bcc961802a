function boom(n) {
  throw new RangeError('boom ' + n); //@mark throws
}

try {
  boom(1);
} catch (error) {
  console.log('caught', error.message);
}
boom(2);
