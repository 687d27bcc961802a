async function drop() {
  await null;
  throw new Error('dropped'); //@mark unhandled
}

drop();
