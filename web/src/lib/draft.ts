/** What is left in the field of a message that has been sent: what was typed after it, while it was on its way, is the next one. */
export function restOfDraft(sent: string, typed: string): string {
  return typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
}
