"""Notes in English, Russian, German, French, Spanish and Chinese that mix their language with identifiers, and what
is asked of them: exact (an identifier, a file's name, an error's text) and in part (some of the words, a part of a name)."""

from __future__ import annotations

# ruff: noqa: E501 - tables

LANGUAGE_NOTES: tuple[tuple[str, str, str], ...] = (
    (
        "en-billing-cron",
        "Billing job runs at four",
        "The cron entry `billing_rollup_nightly` calls src/billing/rollup.py at 04:00.",
    ),
    (
        "en-timeout",
        "Gateway timeouts in Frankfurt",
        "`upstream request timeout (504 UT)` means that the Envoy retry budget is used up.",
    ),
    ("en-naming", "How topics are named", "Kafka topics are called team.entity.v1, for example payments.refund.v1."),
    ("en-proto", "Where the proto files are", "Run `buf generate` in proto/ after changing order_service.proto."),
    ("en-oauth", "Login of the admin panel", "OAuthCallbackHandler rejects tokens whose `aud` is not admin-panel."),
    ("en-sentry", "Noise in Sentry", "ChunkLoadError after a release is harmless: users have an old tab open."),
    ("en-index", "Slow search of customers", "The index idx_customer_email_lower is needed for the search field."),
    (
        "ru-sborka",
        "Сборка падает на Windows",
        "Ошибка LNK2019 пропадает, если собрать с флагом /MD. Скрипт tools/build_win.ps1.",
    ),
    (
        "ru-kluchi",
        "Ключи лежат в хранилище",
        "Секреты читаются из Vault по пути kv/prod/payments, переменная VAULT_ROLE_ID.",
    ),
    (
        "ru-ochered",
        "Очередь заданий переполняется",
        "Если в логе `consumer lag exceeded`, увеличить MAX_POLL_RECORDS до 500.",
    ),
    (
        "ru-otchet",
        "Ежемесячный отчёт для бухгалтерии",
        "Файл otchet_2024.xlsx собирается командой make report-month первого числа.",
    ),
    ("ru-testy", "Нестабильный тест корзины", "test_cart_merge падает из-за часового пояса; задача SHOP-771."),
    (
        "ru-kodirovka",
        "Кодировка выгрузки",
        "Выгрузка для банка должна быть в windows-1251, иначе UnicodeDecodeError у партнёра.",
    ),
    (
        "ru-dezhurstvo",
        "Дежурство по выходным",
        "Дежурный меняется в пятницу в 18:00, расписание в файле oncall/rota.yaml.",
    ),
    (
        "de-datenbank",
        "Datenbankverbindung bricht ab",
        "Bei `FATAL: too many connections` den Wert max_connections in postgresql.conf erhöhen.",
    ),
    (
        "de-rechnung",
        "Rechnungsnummern sind lückenlos",
        "Die Klasse RechnungsnummerGenerator sperrt die Tabelle rechnung_seq.",
    ),
    (
        "de-freigabe",
        "Freigabe durch die Prüfstelle",
        "Vor jeder Veröffentlichung füllt Jürgen das Formular FRG-17 aus.",
    ),
    ("de-umlaute", "Umlaute in Dateinamen", "Dateien wie größe_übersicht.csv werden beim Import in ASCII umbenannt."),
    (
        "de-zeit",
        "Sommerzeit im Planer",
        "Der Dienst schichtplan.service rechnet in UTC; Fehler ZEIT-42 kam von der Umstellung.",
    ),
    ("de-druck", "Etikettendrucker im Lager", "Der Drucker Zebra ZT411 antwortet nur auf Port 9100."),
    (
        "de-mandant",
        "Mandanten sind getrennt",
        "Jede Abfrage trägt mandant_id; der Filter steht in MandantenFilter.java.",
    ),
    (
        "fr-paiement",
        "Échec du paiement récurrent",
        "Le code `card_declined` déclenche la relance dans relance_paiement.rb après trois jours.",
    ),
    (
        "fr-deploiement",
        "Déploiement de la préproduction",
        "La branche préprod est livrée par le job deploy-preprod de GitLab.",
    ),
    ("fr-conge", "Règles des congés", "Le calcul des congés se fait dans CongesCalculator; voir RH-208."),
    ("fr-cle", "Clé de chiffrement", "La clé AES est lue dans /etc/acme/chiffrement.key, jamais dans le dépôt."),
    (
        "fr-traduction",
        "Traductions de l'interface",
        "Les chaînes sont dans locales/fr-FR.json; ne pas traduire les noms de produits.",
    ),
    ("fr-sauvegarde", "Sauvegarde du serveur", "L'erreur `No space left on device` vient de /var/backups/hebdo."),
    ("fr-livraison", "Suivi des livraisons", "Le transporteur appelle le webhook /api/v2/livraisons/statut."),
    ("es-correo", "Correos que no llegan", "Si aparece `SMTP 421 too many concurrent`, bajar MAIL_POOL_SIZE a 5."),
    (
        "es-contrasena",
        "Política de contraseñas",
        "Las contraseñas caducan a los 90 días; lo comprueba PasswordAgeRule.",
    ),
    ("es-factura", "Facturación electrónica", "El certificado factura_e.p12 se renueva cada enero, ticket FIN-330."),
    ("es-mapa", "Mapas sin conexión", "Los mosaicos están en tiles/andalucia.mbtiles y ocupan 2 GB."),
    ("es-reunion", "Reunión diaria", "La reunión diaria es a las 9:45 por la sala morada, diez minutos."),
    (
        "es-migracion",
        "Migración de usuarios",
        "El guion migrar_usuarios.py se detiene con KeyError: 'dni' si falta el documento.",
    ),
    ("es-sensor", "Sensor de temperatura", "El sensor DHT22 del almacén informa cada 30 s por MQTT en almacen/temp."),
    ("zh-denglu", "登录接口限流", "登录接口每分钟最多六十次，超过返回错误码 RATE_LIMIT_1029。"),
    ("zh-bushu", "灰度发布流程", "灰度发布先放百分之五的流量，脚本是 scripts/gray_release.sh。"),
    ("zh-shujuku", "数据库主从延迟", "主从延迟超过三秒时读请求切回主库，开关是 READ_FROM_MASTER。"),
    ("zh-rizhi", "日志保留时间", "访问日志保留三十天，审计日志保留一年，配置在 logback-prod.xml。"),
    ("zh-ceshi", "单元测试约定", "单元测试文件以 Test 结尾，例如 OrderServiceTest，禁止访问网络。"),
    ("zh-huancun", "缓存击穿", "热点商品用互斥锁防止缓存击穿，锁的前缀是 lock:item:。"),
    ("zh-yuming", "测试环境域名", "测试环境域名是 test.shop-demo.cn，证书每三个月更新。"),
)

EXACT: tuple[tuple[str, str], ...] = (
    ("billing_rollup_nightly", "en-billing-cron"), ("src/billing/rollup.py", "en-billing-cron"),
    ("upstream request timeout (504 UT)", "en-timeout"), ("payments.refund.v1", "en-naming"),
    ("order_service.proto", "en-proto"), ("OAuthCallbackHandler", "en-oauth"), ("ChunkLoadError", "en-sentry"),
    ("idx_customer_email_lower", "en-index"),
    ("LNK2019", "ru-sborka"), ("tools/build_win.ps1", "ru-sborka"), ("VAULT_ROLE_ID", "ru-kluchi"),
    ("kv/prod/payments", "ru-kluchi"), ("MAX_POLL_RECORDS", "ru-ochered"), ("consumer lag exceeded", "ru-ochered"),
    ("otchet_2024.xlsx", "ru-otchet"), ("SHOP-771", "ru-testy"), ("oncall/rota.yaml", "ru-dezhurstvo"),
    ("windows-1251", "ru-kodirovka"),
    ("FATAL: too many connections", "de-datenbank"), ("RechnungsnummerGenerator", "de-rechnung"),
    ("rechnung_seq", "de-rechnung"), ("FRG-17", "de-freigabe"), ("größe_übersicht.csv", "de-umlaute"),
    ("ZEIT-42", "de-zeit"), ("ZT411", "de-druck"), ("MandantenFilter.java", "de-mandant"),
    ("card_declined", "fr-paiement"), ("relance_paiement.rb", "fr-paiement"), ("deploy-preprod", "fr-deploiement"),
    ("RH-208", "fr-conge"), ("/etc/acme/chiffrement.key", "fr-cle"), ("locales/fr-FR.json", "fr-traduction"),
    ("No space left on device", "fr-sauvegarde"), ("/api/v2/livraisons/statut", "fr-livraison"),
    ("MAIL_POOL_SIZE", "es-correo"), ("SMTP 421 too many concurrent", "es-correo"), ("PasswordAgeRule", "es-contrasena"),
    ("factura_e.p12", "es-factura"), ("andalucia.mbtiles", "es-mapa"), ("KeyError: 'dni'", "es-migracion"),
    ("DHT22", "es-sensor"), ("FIN-330", "es-factura"),
    ("RATE_LIMIT_1029", "zh-denglu"), ("gray_release.sh", "zh-bushu"), ("READ_FROM_MASTER", "zh-shujuku"),
    ("logback-prod.xml", "zh-rizhi"), ("OrderServiceTest", "zh-ceshi"), ("test.shop-demo.cn", "zh-yuming"),
    ("缓存击穿", "zh-huancun"), ("主从延迟", "zh-shujuku"),
)  # fmt: skip

PARTIAL: tuple[tuple[str, str], ...] = (
    ("billing rollup", "en-billing-cron"), ("rollup.py", "en-billing-cron"), ("request timeout upstream", "en-timeout"),
    ("refund topic", "en-naming"), ("OAuthCallback", "en-oauth"), ("chunk load error after release", "en-sentry"),
    ("customer email index", "en-index"), ("why is the search of customers slow", "en-index"),
    ("сборка windows", "ru-sborka"), ("где лежат ключи", "ru-kluchi"), ("переполнилась очередь", "ru-ochered"),
    ("отчет бухгалтерии", "ru-otchet"), ("тест корзины", "ru-testy"), ("build_win", "ru-sborka"),
    ("кодировку выгрузки для банка", "ru-kodirovka"), ("кто дежурит в выходные", "ru-dezhurstvo"),
    ("too many connections", "de-datenbank"), ("Rechnungsnummer", "de-rechnung"), ("Freigabe vor Veröffentlichung", "de-freigabe"),
    ("ubersicht.csv", "de-umlaute"), ("Umstellung Sommerzeit", "de-zeit"), ("Drucker Lager", "de-druck"),
    ("MandantenFilter", "de-mandant"), ("Datenbank", "de-datenbank"),
    ("echec paiement", "fr-paiement"), ("déploiement préprod", "fr-deploiement"), ("calcul congés", "fr-conge"),
    ("clé de chiffrement", "fr-cle"), ("traduction des noms de produits", "fr-traduction"), ("space left", "fr-sauvegarde"),
    ("webhook livraisons", "fr-livraison"), ("l'erreur de sauvegarde", "fr-sauvegarde"),
    ("concurrent SMTP 421", "es-correo"), ("contrasenas caducan", "es-contrasena"), ("certificado factura", "es-factura"),
    ("mbtiles", "es-mapa"), ("hora de la reunión", "es-reunion"), ("migrar usuarios", "es-migracion"),
    ("sensor almacén", "es-sensor"), ("MAIL_POOL", "es-correo"),
    ("限流 错误码", "zh-denglu"), ("灰度流量", "zh-bushu"), ("读请求切回主库", "zh-shujuku"), ("审计日志", "zh-rizhi"),
    ("测试文件 网络", "zh-ceshi"), ("互斥锁", "zh-huancun"), ("环境域名 证书", "zh-yuming"), ("gray_release", "zh-bushu"),
)  # fmt: skip
