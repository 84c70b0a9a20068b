/** Icons that only this feature shows. Paths of Tabler Icons 3.51 (MIT, see `web/icons-license.txt`). */
import { outlined } from '../../ui/icon.ts';

export const IconAdjustments = outlined(
  'M4 10a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M6 4v4M6 12v8M10 16a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M12 4v10M12 18v2M16 7a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M18 4v1M18 9v11',
);
export const IconArrowDown = outlined('M12 5l0 14M18 13l-6 6M6 13l6 6');
export const IconArrowUp = outlined('M12 5l0 14M18 11l-6 -6M6 11l6 -6');
export const IconArrowsMaximize = outlined(
  'M16 4l4 0l0 4M14 10l6 -6M8 20l-4 0l0 -4M4 20l6 -6M16 20l4 0l0 -4M14 14l6 6M8 4l-4 0l0 4M4 4l6 6',
);
export const IconArrowsMinimize = outlined(
  'M5 9l4 0l0 -4M3 3l6 6M5 15l4 0l0 4M3 21l6 -6M19 9l-4 0l0 -4M15 9l6 -6M19 15l-4 0l0 4M15 15l6 6',
);
export const IconCamera = outlined(
  'M5 7h1a2 2 0 0 0 2 -2a1 1 0 0 1 1 -1h6a1 1 0 0 1 1 1a2 2 0 0 0 2 2h1a2 2 0 0 1 2 2v9a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2v-9a2 2 0 0 1 2 -2M9 13a3 3 0 1 0 6 0a3 3 0 0 0 -6 0',
);
export const IconChartArrows = outlined(
  'M3 18l14 0M9 9l3 3l-3 3M14 15l3 3l-3 3M3 3l0 18M3 12l9 0M18 3l3 3l-3 3M3 6l18 0',
);
export const IconChartCandle = outlined(
  'M4 7a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v3a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -3M6 4l0 2M6 11l0 9M10 15a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v3a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -3M12 4l0 10M12 19l0 1M16 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1l0 -4M18 4l0 1M18 11l0 9',
);
export const IconGripVertical = outlined(
  'M8 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M8 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M8 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M14 5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M14 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M14 19a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconKeyboard = outlined(
  'M2 8a2 2 0 0 1 2 -2h16a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-16a2 2 0 0 1 -2 -2l0 -8M6 10l0 .01M10 10l0 .01M14 10l0 .01M18 10l0 .01M6 14l0 .01M18 14l0 .01M10 14l4 .01',
);
export const IconLayoutDashboard = outlined(
  'M5 4h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1M5 16h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1M15 12h4a1 1 0 0 1 1 1v6a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-6a1 1 0 0 1 1 -1M15 4h4a1 1 0 0 1 1 1v2a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-2a1 1 0 0 1 1 -1',
);
export const IconLine = outlined('M4 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M16 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M7.5 16.5l9 -9');
export const IconLineHeight = outlined('M3 8l3 -3l3 3M3 16l3 3l3 -3M6 5l0 14M13 6l7 0M13 12l7 0M13 18l7 0');
export const IconList = outlined('M9 6l11 0M9 12l11 0M9 18l11 0M5 6l0 .01M5 12l0 .01M5 18l0 .01');
export const IconLockOpen = outlined(
  'M5 13a2 2 0 0 1 2 -2h10a2 2 0 0 1 2 2v6a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2l0 -6M11 16a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M8 11v-5a4 4 0 0 1 8 0',
);
export const IconMathFunction = outlined(
  'M3 19a2 2 0 0 0 2 2c2 0 2 -4 3 -9s1 -9 3 -9a2 2 0 0 1 2 2M5 12h6M15 12l6 6M15 18l6 -6',
);
export const IconMinus = outlined('M5 12l14 0');
export const IconMinusVertical = outlined('M12 5v14');
export const IconPlus = outlined('M12 5l0 14M5 12l14 0');
export const IconSeparatorHorizontal = outlined('M4 12l16 0M8 8l4 -4l4 4M16 16l-4 4l-4 -4');
export const IconSettings = outlined(
  'M10.325 4.317c.426 -1.756 2.924 -1.756 3.35 0a1.724 1.724 0 0 0 2.573 1.066c1.543 -.94 3.31 .826 2.37 2.37a1.724 1.724 0 0 0 1.065 2.572c1.756 .426 1.756 2.924 0 3.35a1.724 1.724 0 0 0 -1.066 2.573c.94 1.543 -.826 3.31 -2.37 2.37a1.724 1.724 0 0 0 -2.572 1.065c-.426 1.756 -2.924 1.756 -3.35 0a1.724 1.724 0 0 0 -2.573 -1.066c-1.543 .94 -3.31 -.826 -2.37 -2.37a1.724 1.724 0 0 0 -1.065 -2.572c-1.756 -.426 -1.756 -2.924 0 -3.35a1.724 1.724 0 0 0 1.066 -2.573c-.94 -1.543 .826 -3.31 2.37 -2.37c1 .608 2.296 .07 2.572 -1.065M9 12a3 3 0 1 0 6 0a3 3 0 0 0 -6 0',
);
export const IconSlashes = outlined('M14 5l-10 14M20 5l-10 14');
export const IconTag = outlined(
  'M6.5 7.5a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M3 6v5.172a2 2 0 0 0 .586 1.414l7.71 7.71a2.41 2.41 0 0 0 3.408 0l5.592 -5.592a2.41 2.41 0 0 0 0 -3.408l-7.71 -7.71a2 2 0 0 0 -1.414 -.586h-5.172a3 3 0 0 0 -3 3',
);
export const IconTimeline = outlined(
  'M4 16l6 -7l5 5l5 -6M14 14a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M9 9a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M3 16a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M19 8a1 1 0 1 0 2 0a1 1 0 1 0 -2 0',
);
export const IconX = outlined('M18 6l-12 12M6 6l12 12');
