export async function compare(main) { main.replaceChildren(); }
