-- Addresses of accounts that were erased before support forgot where a message was confirmed to.
UPDATE support_conversations SET confirmed_to = ''
WHERE confirmed_to <> '' AND customer_id IN (SELECT id FROM support_customers WHERE client_id IS NOT NULL AND email = '');
