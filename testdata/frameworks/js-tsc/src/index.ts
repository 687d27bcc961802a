import { Till } from './till/till';

const till = new Till();
till.take(20, 13);
till.take(50, 8);
console.log(`${till.inside} in the till`);
