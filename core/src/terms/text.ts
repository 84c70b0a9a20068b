/** Marks a text that a person sees, in English; it is shown in the reader's language. */
export const msg = <const Text extends string>(text: Text): Text => text;
