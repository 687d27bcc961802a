import { count } from './words.js';

const counts = count('the cat and the hat and the bat');
console.log([...counts].map(([word, n]) => `${word} ${n}`).join('\n'));
