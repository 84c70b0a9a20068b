/** What Mantine's components are given beside colours and sizes. */
import { createTheme } from '@mantine/core';
import { t } from '../lib/i18n.ts';
import { palette } from './palette.ts';

export const theme = createTheme({
  ...palette,
  components: {
    Modal: {
      defaultProps: () => ({
        centered: true,
        radius: 10,
        transitionProps: { duration: 120, transition: 'fade' },
        closeButtonProps: { 'aria-label': t('Close') },
      }),
    },
    Drawer: {
      defaultProps: () => ({
        transitionProps: { duration: 140 },
        closeButtonProps: { 'aria-label': t('Close') },
      }),
    },
    Menu: { defaultProps: { shadow: 'md', radius: 8, transitionProps: { duration: 90 } } },
    Popover: { defaultProps: { shadow: 'md', radius: 8, transitionProps: { duration: 90 } } },
    Tooltip: { defaultProps: { openDelay: 350, transitionProps: { duration: 90 } } },
  },
});
