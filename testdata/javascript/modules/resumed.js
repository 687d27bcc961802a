function check(list) {
  for (const item of list) { //@mark resumed
    console.log(item);
  }
}

await null;
check(undefined);
