/** Registers the indicators and drawing tools that the chart does not begin with. Loaded when one of them is wanted. */

import { moreFigures, moreIndicators, moreOverlays } from 'klinecharts?more';
import { registerFigure, registerIndicator, registerOverlay } from 'klinecharts';

for (const figure of moreFigures) registerFigure(figure);
for (const indicator of moreIndicators) registerIndicator(indicator);
for (const overlay of moreOverlays) registerOverlay(overlay);
