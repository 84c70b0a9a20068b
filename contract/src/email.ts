/** What an email address is here, and when two are the same. Apart from the schemas, so that pages load it alone. */

/**
 * One mailbox, written plainly (RFC 5322's dot-atom): ASCII letters, digits and the signs that it allows, in words joined by
 * dots, at a domain of several labels, the last of which may be in Punycode. Not `%` and `!`, by which old relays send mail on
 * to elsewhere. Nothing that a mail program could read as a list, a display name, a comment, a quoted part or a route, and no
 * look-alike letter. RFC 5321's lengths: 64 before the at sign, 63 for a label, 254 in all (which schemas check).
 */
export const EMAIL =
  /^(?=[^@]{1,64}@)[A-Za-z0-9_'+\-#$&*/=?^`{|}~]+(?:\.[A-Za-z0-9_'+\-#$&*/=?^`{|}~]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9](?:[A-Za-z0-9-]{0,57}[A-Za-z0-9])?)$/;

/** Before, an account could have other addresses. They are only ever looked up, and mailed as the account has them. */
export const KNOWN_EMAIL = /^[^\s@]+@[^\s@]+$/;

export const EMAIL_LENGTH = 254;

/** @returns undefined for what is no address of the grammar, wherever it comes from */
export function readEmail(text: string): string | undefined {
  const email = text.trim();
  return email.length <= EMAIL_LENGTH && EMAIL.test(email) ? email : undefined;
}

/**
 * How addresses are compared: case does not make another mailbox. Only ASCII letters are folded, because others fold into
 * them (the Kelvin sign into k).
 */
export const emailKeyOf = (email: string): string =>
  email.trim().replace(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 32));

/** Without what is not seen or turns the direction of the text around it. */
export const visibleText = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, '');
