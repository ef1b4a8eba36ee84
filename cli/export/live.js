// Updates the page while the report grows. A section is not replaced while the user types in it or has selected text in
// it. Sorting, filters and the scroll position are kept.
const served = new Map([...document.querySelectorAll('main > section')].map((part) => [part.id, part.innerHTML]));
let known = '';
function isInUse(part) {
  const marked = document.getSelection();
  const typed = document.activeElement;
  return (typed.matches('input') && part.contains(typed)) || (!marked.isCollapsed && part.contains(marked.anchorNode));
}
function choicesIn(part) {
  const filters = [...part.querySelectorAll('.filter input')].map((input) => input.value);
  const orders = [...part.querySelectorAll('table.sortable')].map((table) => {
    const column = [...table.tHead.rows[0].cells].findIndex((heading) => heading.hasAttribute('aria-sort'));
    return column < 0 ? null : [column, table.tHead.rows[0].cells[column].getAttribute('aria-sort')];
  });
  return {filters, orders};
}
function choose(part, {filters, orders}) {
  [...part.querySelectorAll('table.sortable')].forEach((table, i) => {
    if (!orders[i]) return;
    const [column, order] = orders[i];
    sortBy(table, column);
    if (table.tHead.rows[0].cells[column].getAttribute('aria-sort') !== order) sortBy(table, column);
  });
  [...part.querySelectorAll('.filter input')].forEach((input, i) => {
    if (!filters[i]) return;
    input.value = filters[i];
    input.dispatchEvent(new Event('input'));
  });
}
function renew(part, html) {
  const choices = choicesIn(part);
  part.innerHTML = html;
  prepare(part);
  choose(part, choices);
}
function take(page) {
  const main = document.querySelector('main');
  const anchor = [...main.children].find((part) => part.getBoundingClientRect().bottom > 0);
  const before = anchor?.getBoundingClientRect().top;
  let isWhole = true;
  for (const fresh of page.querySelectorAll('main > section')) {
    const html = fresh.innerHTML;
    const part = document.getElementById(fresh.id);
    if (!part) {
      const next = [...main.children].find((other) => page.getElementById(other.id)
        ?.compareDocumentPosition(fresh) & Node.DOCUMENT_POSITION_PRECEDING);
      main.insertBefore(document.adoptNode(fresh), next ?? null);
      prepare(document.getElementById(fresh.id));
    } else if (served.get(fresh.id) === html) {
      continue;
    } else if (isInUse(part)) {
      isWhole = false;
      continue;
    } else {
      renew(part, html);
    }
    served.set(fresh.id, html);
  }
  for (const name of ['nav', '.about']) {
    document.querySelector(name).innerHTML = page.querySelector(name).innerHTML;
  }
  if (anchor) window.scrollBy(0, anchor.getBoundingClientRect().top - before);
  return isWhole;
}
async function fetched(url) {
  const answer = await fetch(url, {cache: 'no-store'});
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
}
async function look() {
  const begun = performance.now();
  try {
    const revision = await fetched(location.pathname.replace('/report/', '/revision/'));
    if (revision !== known) {
      const page = new DOMParser().parseFromString(await fetched(location.pathname), 'text/html');
      if (take(page)) known = revision;
    }
    document.body.classList.remove('gone');
  } catch {
    document.body.classList.add('gone');  // the server has ended, or the report is being replaced
  }
  // Reading a large report takes long. Limits it to a twentieth of the time.
  setTimeout(look, Math.max(1000, 20 * (performance.now() - begun)));
}
look();
