/** Icons that every page begins with, and this part alone shows. Paths of Tabler Icons 3.51 (MIT, see `web/icons-license.txt`). */
import { outlined } from '../ui/icon.ts';

export const IconDeviceMobile = outlined(
  'M6 5a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2v-14M11 4h2M12 17v.01',
);
export const IconMenu2 = outlined('M4 6l16 0M4 12l16 0M4 18l16 0');
export const IconUserCircle = outlined(
  'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M9 10a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M6.168 18.849a4 4 0 0 1 3.832 -2.849h4a4 4 0 0 1 3.834 2.855',
);
export const IconWorld = outlined(
  'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 3a17 17 0 0 1 0 18',
);
export const IconX = outlined('M18 6l-12 12M6 6l12 12');
