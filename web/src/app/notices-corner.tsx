/** Where notices appear. Fetched with the first of them. */
import { Notifications } from '@mantine/notifications';
import classes from './notices-corner.module.css';

/** Room for the progress of a transfer with all of its witnesses, also where their names take two lines. */
const MAX_HEIGHT_PX = 380;

export default function NoticesCorner() {
  return (
    <Notifications
      className={classes.corner ?? ''}
      position="top-right"
      limit={4}
      containerWidth={340}
      notificationMaxHeight={MAX_HEIGHT_PX}
      zIndex={1000}
    />
  );
}
