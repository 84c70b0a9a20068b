-- The name under which the signer has signed last, as far as this database knows. A signer whose record lacks it was set back, and
-- might sign one payment twice.
ALTER TABLE payout_book ADD COLUMN newest_signed text;
UPDATE payout_book SET newest_signed = (
  SELECT payout_book.id || ':' || CASE purpose WHEN 'withdrawal' THEN '' ELSE purpose || ':' END || reference
  FROM payouts WHERE EXISTS (SELECT 1 FROM payout_attempts WHERE payout = payouts.id AND raw IS NOT NULL)
  ORDER BY change DESC LIMIT 1
);
