/** The notices of the trading screens stay three seconds, whatever they say. */
import * as notices from '../../ui/notices.ts';

export const noticeSuccess = (title: string, message: string) =>
  notices.noticeSuccess(title, message, notices.NOTICE_MS.trade);

export const noticeError = (title: string, message: string) =>
  notices.noticeError(title, message, notices.NOTICE_MS.trade);
