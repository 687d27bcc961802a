function forever() { for (let i = 0; ; i = (i + 1) % 1000); }
forever();
