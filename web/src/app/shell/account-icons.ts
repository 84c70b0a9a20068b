/** Icons of one's account and of its menu. Paths of Tabler Icons 3.51 (MIT, see `web/icons-license.txt`). */
import { outlined } from '../../ui/icon.ts';

export const IconCoins = outlined(
  'M9 14c0 1.657 2.686 3 6 3s6 -1.343 6 -3s-2.686 -3 -6 -3s-6 1.343 -6 3M9 14v4c0 1.656 2.686 3 6 3s6 -1.344 6 -3v-4M3 6c0 1.072 1.144 2.062 3 2.598s4.144 .536 6 0c1.856 -.536 3 -1.526 3 -2.598c0 -1.072 -1.144 -2.062 -3 -2.598s-4.144 -.536 -6 0c-1.856 .536 -3 1.526 -3 2.598M3 6v10c0 .888 .772 1.45 2 2M3 11c0 .888 .772 1.45 2 2',
);
export const IconCreditCard = outlined(
  'M3 8a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v8a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -8M3 10l18 0M7 15l.01 0M11 15l2 0',
);
export const IconHistory = outlined('M12 8l0 4l2 2M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5');
export const IconId = outlined(
  'M3 7a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v10a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3l0 -10M7 10a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M15 8l2 0M15 12l2 0M7 16l10 0',
);
export const IconLogout = outlined(
  'M14 8v-2a2 2 0 0 0 -2 -2h-7a2 2 0 0 0 -2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2 -2v-2M9 12h12l-3 -3M18 15l3 -3',
);
export const IconPercentage = outlined(
  'M16 17a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M6 7a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M6 18l12 -12',
);
export const IconSettings = outlined(
  'M14 6a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M4 6l10 0M18 6l2 0M6 12a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M4 12l2 0M10 12l10 0M15 18a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M4 18l11 0M19 18l1 0',
);
export const IconTool = outlined('M7 10h3v-3l-3.5 -3.5a6 6 0 0 1 8 8l6 6a2 2 0 0 1 -3 3l-6 -6a6 6 0 0 1 -8 -8l3.5 3.5');
export const IconUser = outlined('M8 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0M6 21v-2a4 4 0 0 1 4 -4h4a4 4 0 0 1 4 4v2');
export const IconUsersPlus = outlined(
  'M5 7a4 4 0 1 0 8 0a4 4 0 0 0 -8 0M3 21v-2a4 4 0 0 1 4 -4h4c.96 0 1.84 .338 2.53 .901M16 3.13a4 4 0 0 1 0 7.75M16 19h6M19 16v6',
);
