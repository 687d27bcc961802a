export let count = 0;
export function increase(by = 1) { count += by; return count; }
export default function () { return 'default'; }
export const Point = class {};
export class Later { constructor(n) { this.n = n; } get twice() { return this.n * 2; } }
export { count as renamed };
