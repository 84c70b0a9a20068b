/** The coins' own signs, from an open icon set (MIT), and a drawn template for a coin that the set doesn't know. */
import aave from '@web3icons/core/svgs/tokens/background/AAVE.svg.js';
import ada from '@web3icons/core/svgs/tokens/background/ADA.svg.js';
import apt from '@web3icons/core/svgs/tokens/background/APT.svg.js';
import arb from '@web3icons/core/svgs/tokens/background/ARB.svg.js';
import atom from '@web3icons/core/svgs/tokens/background/ATOM.svg.js';
import avax from '@web3icons/core/svgs/tokens/background/AVAX.svg.js';
import bch from '@web3icons/core/svgs/tokens/background/BCH.svg.js';
import bnb from '@web3icons/core/svgs/tokens/background/BNB.svg.js';
import btc from '@web3icons/core/svgs/tokens/background/BTC.svg.js';
import comp from '@web3icons/core/svgs/tokens/background/COMP.svg.js';
import crv from '@web3icons/core/svgs/tokens/background/CRV.svg.js';
import doge from '@web3icons/core/svgs/tokens/background/DOGE.svg.js';
import dot from '@web3icons/core/svgs/tokens/background/DOT.svg.js';
import ens from '@web3icons/core/svgs/tokens/background/ENS.svg.js';
import etc from '@web3icons/core/svgs/tokens/background/ETC.svg.js';
import eth from '@web3icons/core/svgs/tokens/background/ETH.svg.js';
import fil from '@web3icons/core/svgs/tokens/background/FIL.svg.js';
import grt from '@web3icons/core/svgs/tokens/background/GRT.svg.js';
import hbar from '@web3icons/core/svgs/tokens/background/HBAR.svg.js';
import icp from '@web3icons/core/svgs/tokens/background/ICP.svg.js';
import ldo from '@web3icons/core/svgs/tokens/background/LDO.svg.js';
import link from '@web3icons/core/svgs/tokens/background/LINK.svg.js';
import ltc from '@web3icons/core/svgs/tokens/background/LTC.svg.js';
import near from '@web3icons/core/svgs/tokens/background/NEAR.svg.js';
import op from '@web3icons/core/svgs/tokens/background/OP.svg.js';
import pol from '@web3icons/core/svgs/tokens/background/POL.svg.js';
import shib from '@web3icons/core/svgs/tokens/background/SHIB.svg.js';
import sol from '@web3icons/core/svgs/tokens/background/SOL.svg.js';
import sui from '@web3icons/core/svgs/tokens/background/SUI.svg.js';
import trx from '@web3icons/core/svgs/tokens/background/TRX.svg.js';
import uni from '@web3icons/core/svgs/tokens/background/UNI.svg.js';
import usdc from '@web3icons/core/svgs/tokens/background/USDC.svg.js';
import usdt from '@web3icons/core/svgs/tokens/background/USDT.svg.js';
import xlm from '@web3icons/core/svgs/tokens/background/XLM.svg.js';
import xmr from '@web3icons/core/svgs/tokens/background/XMR.svg.js';
import xrp from '@web3icons/core/svgs/tokens/background/XRP.svg.js';

const known: Readonly<Record<string, string>> = {
  AAVE: aave,
  ADA: ada,
  APT: apt,
  ARB: arb,
  ATOM: atom,
  AVAX: avax,
  BCH: bch,
  BNB: bnb,
  BTC: btc,
  COMP: comp,
  CRV: crv,
  DOGE: doge,
  DOT: dot,
  ENS: ens,
  ETC: etc,
  ETH: eth,
  FIL: fil,
  GRT: grt,
  HBAR: hbar,
  ICP: icp,
  LDO: ldo,
  LINK: link,
  LTC: ltc,
  NEAR: near,
  OP: op,
  POL: pol,
  SHIB: shib,
  SOL: sol,
  SUI: sui,
  TRX: trx,
  UNI: uni,
  USDC: usdc,
  USDT: usdt,
  XLM: xlm,
  XMR: xmr,
  XRP: xrp,
};

/** A colour that a code always gets. */
function hueOf(code: string): number {
  let hash = 0;
  for (const character of code) hash = (hash * 31 + character.charCodeAt(0)) % 360;
  return hash;
}

function drawn(code: string): string {
  const letters = code.slice(0, code.length > 3 ? 1 : 3);
  const size = letters.length > 1 ? 8 : 12;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">` +
    `<path fill="hsl(${hueOf(code)} 55% 42%)" d="M0 0h24v24H0z"/>` +
    `<text x="12" y="12" dy=".36em" fill="#fff" font-family="sans-serif" font-size="${size}" font-weight="700" ` +
    `text-anchor="middle">${letters}</text></svg>`
  );
}

/** @param code upper case letters and digits only; it is written into the drawing */
export const iconOf = (code: string): string => known[code] ?? drawn(code);

export const iconPath = (code: string): string => `/icons/${code.toLowerCase()}.svg`;
