/** Registers the indicators and drawing tools that the chart does not begin with. Loaded when one of them is wanted. */

import { moreFigures, moreIndicators, moreOverlays } from 'klinecharts?more';
import { type IndicatorTemplate, registerFigure, registerIndicator, registerOverlay } from 'klinecharts';
import { ownIndicators } from './own-indicators.ts';

for (const figure of moreFigures) registerFigure(figure);
for (const indicator of moreIndicators) registerIndicator(indicator);
for (const indicator of ownIndicators) registerIndicator(indicator as IndicatorTemplate);
for (const overlay of moreOverlays) registerOverlay(overlay);
