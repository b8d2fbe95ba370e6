export async function clauses(main) { main.replaceChildren(); }
