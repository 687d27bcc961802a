/** slug makes of a title what can stand in an address. */
export function slug(title) {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const joined = words.join('-');
  return joined; // @mark slug
}
