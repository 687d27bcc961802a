import { Hall, Kind } from './hall';

const hall = new Hall(3);
hall.take(Kind.Stalls, 'Ada');
hall.take(Kind.Gallery, 'Bob');
console.log(`${hall.free} free`);
