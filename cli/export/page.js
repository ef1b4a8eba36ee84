'use strict';
// Sorts a table by a column: numbers descending, texts ascending. Reverses the order of a column that is already
// sorted.
function sortBy(table, column) {
  const headings = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  const rank = (row) => row.cells[column].dataset.rank;
  const numeric = rows.some((row) => rank(row) !== undefined);
  const before = headings[column].getAttribute('aria-sort');
  const descending = before ? before === 'ascending' : numeric;
  const value = (row) => rank(row) === undefined ? -Infinity : rank(row) === 'inf' ? Infinity : Number(rank(row));
  const order = (a, b) => numeric
    ? value(a) - value(b) || 0
    : a.cells[column].textContent.localeCompare(b.cells[column].textContent);
  rows.sort((a, b) => descending ? order(b, a) : order(a, b));
  headings.forEach((other) => other.removeAttribute('aria-sort'));
  headings[column].setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  table.tBodies[0].append(...rows);
}
// Attaches sorting and filters to the tables in a part of the page.
function prepare(part) {
  for (const table of part.querySelectorAll('table.sortable')) {
    [...table.tHead.rows[0].cells].forEach(
      (heading, column) => heading.firstChild.addEventListener('click', () => sortBy(table, column)));
  }
  // A filter shows the rows that contain each of its words.
  for (const input of part.querySelectorAll('.filter input')) {
    const rows = [...document.getElementById(input.dataset.of).querySelectorAll('tbody tr')];
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    });
  }
}
prepare(document);
