function wrap() {
  try {
    JSON.parse('{');
  } catch (error) {
    throw new Error('wrapped', { cause: error }); //@mark cause
  }
}

wrap();
