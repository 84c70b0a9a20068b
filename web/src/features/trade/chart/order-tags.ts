/** Where the tags of order lines are drawn: at their lines while there is room, beside each other where there is not. */

/** Height of a tag with the gap to the next one, pixels at the browser's usual text size. */
export const TAG_PX = 20;
/** So many tags may share the height of one, moved apart; more become one tag that counts them. */
const MOST_AT_ONE_HEIGHT = 2;

export interface TagLine {
  readonly id: string;
  /** Of the line, pixels from the top. */
  readonly y: number;
}

export interface Tag {
  /** The lines that it stands for, from the top; the first one draws it. */
  readonly ids: readonly string[];
  /** Its middle. */
  readonly y: number;
}

/** Lines within `reach` pixels of the first of them are at one height. */
function tagsAt(lines: readonly TagLine[], reach: number): Tag[] {
  const heights: TagLine[][] = [];
  for (const line of lines) {
    const last = heights.at(-1);
    if (last?.[0] && line.y - last[0].y < reach) last.push(line);
    else heights.push([line]);
  }
  return heights.flatMap((group) => {
    if (group.length <= MOST_AT_ONE_HEIGHT) return group.map(({ id, y }) => ({ ids: [id], y }));
    return [{ ids: group.map(({ id }) => id), y: group.reduce((sum, { y }) => sum + y, 0) / group.length }];
  });
}

interface Stack {
  readonly tags: Tag[];
  /** Middle of the first tag. */
  top: number;
}

/** Tags that overlap form a stack around the mean of their heights, which may reach the next one. */
function stacked(tags: readonly Tag[], topPx: number, heightPx: number, tagPx: number): Stack[] {
  const stacks: Stack[] = [];
  for (const tag of tags) {
    let stack: Stack = { tags: [tag], top: tag.y };
    for (;;) {
      const span = (stack.tags.length - 1) * tagPx;
      const mean = stack.tags.reduce((sum, { y }) => sum + y, 0) / stack.tags.length;
      stack.top = Math.max(topPx + tagPx / 2, Math.min(mean - span / 2, heightPx - tagPx / 2 - span));
      const above = stacks.at(-1);
      if (!above || above.top + above.tags.length * tagPx <= stack.top) break;
      stacks.pop();
      stack = { tags: [...above.tags, ...stack.tags], top: 0 };
    }
    stacks.push(stack);
  }
  return stacks;
}

/** The tags of the lines that are in view, from the top; none lies over another, past an edge or above `topPx`. */
export function placeTags(lines: readonly TagLine[], heightPx: number, topPx = 0, tagPx = TAG_PX): Tag[] {
  const inView = lines.filter(({ y }) => y >= 0 && y <= heightPx).sort((one, other) => one.y - other.y);
  const room = Math.max(1, Math.floor((heightPx - topPx) / tagPx));
  let reach = tagPx;
  let tags = tagsAt(inView, reach);
  while (tags.length > room) {
    // Two at one height count apart only while there is room for them.
    reach *= 2;
    tags =
      reach > heightPx * 2 ? [{ ids: inView.map(({ id }) => id), y: (topPx + heightPx) / 2 }] : tagsAt(inView, reach);
  }
  return stacked(tags, topPx, heightPx, tagPx).flatMap(({ tags: inStack, top }) =>
    inStack.map(({ ids }, rank) => ({ ids, y: top + rank * tagPx })),
  );
}
