// The stop of a program, as replies tell it: the place, the code, the values, the stack. What
// is inside of a value is asked for when it is opened.
function drawStop(data, open) {
  const s = data.execution_state ?? {};
  const parts = [el('p', { class: 'place' }, visible([(s.status ?? '').replaceAll('_', ' '), data.location, data.function && `in ${data.function}`, s.exit_code !== undefined && `exit code ${s.exit_code}`, s.signal].filter(Boolean).join(' ')))];
  if (data.exception) parts.push(el('p', { class: 'bad' }, visible([data.exception.type, data.exception.message].filter(Boolean).join(': '))));
  if (data.code_snapshot?.formatted) parts.push(code(data.code_snapshot.formatted));
  const changed = Object.entries(data.changed_variables ?? {}).map(([name, c]) => ({ name, value: told(c.new), old: told(c.old), ref: c.ref }));
  parts.push(...group('changed', changed, open), ...group('locals', named(data.locals), open), ...group('returned', named(data.return_value), open));
  if (data.stack?.length) parts.push(el('h2', {}, 'stack'), el('ul', { class: 'code' }, ...data.stack.map((f) => el('li', {}, visible(told(f))))));
  for (const [stream, text] of Object.entries(data.output ?? {})) if (typeof text === 'string' && text) parts.push(el('h2', {}, visible(stream)), el('pre', { tabindex: 0 }, visible(text)));
  return el('div', {}, ...parts);
}

// told is a value as a text, whatever form it has in the reply.
const told = (v) => (v === null || typeof v !== 'object' ? String(v ?? '') : String(v.v ?? v.value ?? JSON.stringify(v)));

function named(values) {
  if (!values || typeof values !== 'object') return values ? [{ name: '', value: told(values) }] : [];
  if ('v' in values && typeof values.v !== 'object') return [{ name: '', value: told(values), type: values.t, ref: values.ref }];
  const list = Array.isArray(values) ? values.map((v) => [v.name ?? '', v]) : Object.entries(values);
  return list.map(([name, v]) => ({ name, value: told(v), type: v?.t ?? v?.type, ref: v?.ref }));
}

function group(title, values, open) {
  return values.length ? [el('h2', {}, title), el('div', { role: 'group', 'aria-label': title }, ...values.map((v) => row(v, open)))] : [];
}

function row(v, open) {
  const text = [el('b', {}, visible(v.name)), v.name ? ' = ' : '', visible(v.value), v.old ? el('span', { class: 'soft' }, visible(` (was ${v.old})`)) : '', v.type ? el('span', { class: 'soft' }, visible(`  ${v.type}`)) : ''];
  if (!v.ref || !open) return el('div', { class: 'row leaf' }, el('span', { class: 'text' }, ...text));
  const inside = el('div', { class: 'inside' });
  const details = el('details', { ontoggle: async (e) => {
    if (e.target !== details || !details.open || inside.firstChild) return;
    inside.append(el('p', { class: 'soft' }, '…'));
    try {
      const { values, total } = await open(v.ref);
      inside.replaceChildren(...(values ?? []).map((x) => row(x, open)), ...(total > (values?.length ?? 0) ? [el('p', { class: 'soft' }, `${total - (values?.length ?? 0)} more are not shown`)] : []));
    } catch (err) {
      inside.replaceChildren(el('p', { class: 'bad' }, visible(err.message)));
    }
  } }, el('summary', { class: 'row' }, el('span', { class: 'text' }, ...text)), inside);
  return details;
}

function code(text) {
  return el('pre', { tabindex: 0, 'aria-label': 'code' }, ...text.split('\n').map((l) => el('span', { class: /^\s*\d+→/.test(l) ? 'here' : undefined }, visible(`${l}\n`))));
}
