/**
 * Browsers that translate a page put elements of their own (`<font>`) around React's text nodes, or in their place. React
 * still holds the text nodes: it would fail to remove one, or to put something before it, and take the whole screen away;
 * and a new text would go into a node that is not on the page. See https://github.com/facebook/react/issues/11538.
 *
 * Once such an element is seen, what React asks of a text node is done to what stands in its place. A text that changes is
 * put back as it is, and the browser translates it again.
 */
const WRAPPER = 'FONT';

/** By nodes that are not on the page any more: what came in their place. */
const standIns = new WeakMap<Node, Node>();
let isPatched = false;

const isWrapper = (node: Node | null | undefined): node is Node => node?.nodeName === WRAPPER;

/** What stands on the page for a node of React's. */
function standInOf(node: Node): Node {
  let shown = node;
  for (let next: Node | undefined = shown; next; next = shown.isConnected ? undefined : standIns.get(shown))
    shown = next;
  // Around it there may be several.
  while (isWrapper(shown.parentNode)) shown = shown.parentNode;
  return shown;
}

/** A text comes again in the place of what the browser made of it. */
function putBack(text: Node): void {
  const shown = standInOf(text);
  if (shown !== text) shown.parentNode?.replaceChild(text, shown);
  standIns.delete(text);
}

function patchTree(): void {
  const { removeChild, insertBefore, appendChild } = Node.prototype;
  Node.prototype.removeChild = function <Child extends Node>(child: Child): Child {
    if (child.parentNode !== (this as Node)) putBack(child);
    // Whatever became of a text that is nowhere, the screen is worth more.
    if (child.parentNode === null && child.nodeType === Node.TEXT_NODE) return child;
    return removeChild.call(this, child) as Child;
  };
  Node.prototype.insertBefore = function <Child extends Node>(child: Child, before: Node | null): Child {
    const place = before && before.parentNode !== (this as Node) ? standInOf(before) : before;
    if (isWrapper(standInOf(child))) putBack(child);
    return insertBefore.call(this, child, place) as Child;
  };
  Node.prototype.appendChild = function <Child extends Node>(child: Child): Child {
    if (isWrapper(standInOf(child))) putBack(child);
    return appendChild.call(this, child) as Child;
  };
}

function patchText(): void {
  const value = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  if (!value?.set) return;
  const { set } = value;
  Object.defineProperty(Node.prototype, 'nodeValue', {
    ...value,
    set(this: Node, text: string | null) {
      if (standIns.has(this)) putBack(this);
      set.call(this, text);
    },
  });
}

/** A wrapper came in the place of a text, in one step or in two; or a text in that of a wrapper, where the original is shown. */
function note({ addedNodes, removedNodes, previousSibling, nextSibling }: MutationRecord): void {
  const added = [...addedNodes];
  if (!isPatched && added.some(isWrapper)) {
    isPatched = true;
    patchTree();
    patchText();
  }
  if (!isPatched) return;
  for (const removed of removedNodes) {
    if (removed.isConnected) continue;
    const isText = removed.nodeType === Node.TEXT_NODE;
    if (!isText && !isWrapper(removed)) continue;
    const standIn = isText
      ? [...added, previousSibling, nextSibling].find(isWrapper)
      : added.find(({ nodeType }) => nodeType === Node.TEXT_NODE);
    if (standIn) standIns.set(removed, standIn);
  }
}

/** Begins before the page is drawn; costs next to nothing until a browser translates it. */
export function followTranslation(): void {
  new MutationObserver((records) => records.forEach(note)).observe(document.documentElement, {
    childList: true,
    subtree: true,
  });
}
