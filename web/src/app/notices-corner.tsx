/** Where notices appear. Fetched with the first of them. */
import { Notifications } from '@mantine/notifications';
import '../ui/mantine-styles.ts';

export default function NoticesCorner() {
  return <Notifications position="top-right" limit={4} containerWidth={340} zIndex={1000} />;
}
