/** Where notices appear. Fetched with the first of them. */
import { Notifications, useNotifications } from '@mantine/notifications';
import { useEffect, useLayoutEffect } from 'react';
import { keepPlacing, placeNotice } from '../ui/notice-place.ts';
import { MAX_NOTICES } from '../ui/notices.ts';
import classes from './notices-corner.module.css';

/** Room for the progress of a transfer with all of its witnesses, also where their names take two lines. */
const MAX_HEIGHT_PX = 380;
/** The height that the stack has once its notices have faded in. */
function wholeHeight(stack: Element): number {
  const notices = [...(stack.firstElementChild?.children ?? [])];
  return notices.reduce((sum, notice) => {
    const { marginTop, borderTopWidth, borderBottomWidth } = getComputedStyle(notice);
    const around = [marginTop, borderTopWidth, borderBottomWidth].map((size) => Number.parseFloat(size) || 0);
    return around.reduce((height, size) => height + size, sum + notice.scrollHeight);
  }, 0);
}

function place(): void {
  const stack = document.querySelector<HTMLElement>(`.${classes.corner}[data-position="bottom-left"]`);
  if (stack) placeNotice(stack, wholeHeight(stack));
}

export default function NoticesCorner() {
  const { notifications } = useNotifications();
  const isEmpty = notifications.length === 0;
  // Before each painting in which the notices differ.
  useLayoutEffect(place);
  useEffect(() => (isEmpty ? undefined : keepPlacing(place)), [isEmpty]);
  return (
    <Notifications
      className={classes.corner ?? ''}
      position="bottom-left"
      limit={MAX_NOTICES}
      containerWidth={340}
      notificationMaxHeight={MAX_HEIGHT_PX}
      zIndex={1000}
    />
  );
}
