"""Words of business that mean the same, in clusters; written by hand, and kept narrow: what is merely related is another word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from turnstate.core.evidence.lexicon import FRAME, Language
from turnstate.core.evidence.roots import bare, root


def _table(language: Language, lines: str) -> Mapping[str, int]:
    """Each word's root with the number of its cluster; a line is a cluster."""
    plain = {root(bare(word), language) for word in FRAME[language]}
    found = {
        root(bare(word), language): number
        for number, line in enumerate(lines.strip().splitlines())
        for word in line.split()
    }
    return {word: number for word, number in found.items() if word not in plain}


_ENGLISH: Final = """
price prices pricing cost costs fee fees charge charges
cancel cancellation terminate termination unsubscribe
refund refunds moneyback reimburse reimbursement
delete deletion erase remove removal wipe purge
user users seat seats member members
company business firm organisation organization
encrypt encryption encrypted
datacenter datacentre
invoice invoices bill bills billing billed
discount discounts rebate reduction cheaper
trial test tryout
upgrade upgrading switch switching
phone telephone hotline
email mail e-mail
import upload migrate
export download
backup backups
integrate integration integrations connector connectors connect connects plugin interface interoperate sync syncs synchronise synchronize
payment payments pay paid paying
notice noticeperiod
employee employees staff colleague colleagues
language languages
mobile smartphone
training onboarding course courses
retain retention keep kept stored store
password passwords passphrase
uptime availability
response respond reply replies answered
customise customize customisation customization customizable personalise personalize
documentation docs manual guide
vacation holiday holidays
picture pictures image images photo photos
buy purchase order
repair fix
start starts begin begins beginning
year yearly annual annually
plan plans subscription package tariff
appointment appointments visit visits
api interface
free gratis complimentary
limit limits maximum cap max most
"""
_GERMAN: Final = """
preis preise kosten gebühr gebühren kostet
kündigen kündigung beenden beendigung
erstatten erstattung rückerstattung rückzahlung zurückzahlen zurück
löschen löschung gelöscht entfernen entfernt
nutzer benutzer anwender mitglied mitglieder person personen
firma unternehmen betrieb
verschlüsseln verschlüsselt verschlüsselung
rechenzentrum rechenzentren
rechnung rechnungen abrechnung abgerechnet
rabatt rabatte nachlass ermäßigung vergünstigung billiger günstiger
testen testphase probe probezeit probieren ausprobieren testzeitraum
wechseln wechsel upgrade umstieg umsteigen
telefon telefonisch hotline
mail e-mail email
importieren import hochladen einlesen übernehmen übernahme übernommen
exportieren export herunterladen ausgeben
sicherung backup sicherungskopie datensicherung
integrieren integration anbindung anbinden verbinden verbindung anschluss koppeln abgleich abgleichen synchronisieren
zahlen zahlung bezahlen bezahlung
mitarbeiter mitarbeitende beschäftigte angestellte kollegen
sprache sprachen
schulung schulungen training kurs kurse einführung
aufbewahren aufbewahrung speichern gespeichert behalten aufgehoben
passwort kennwort
verfügbarkeit erreichbarkeit
antwort antworten reaktion reagieren reagiert reaktionszeit antwortzeit beantworten
anpassen anpassung anpassbar
anleitung handbuch dokumentation
bild bilder foto fotos
kaufen kauf bestellen bestellung
reparieren reparatur instandsetzung
höchstens maximal maximum obergrenze limit grenze begrenzt begrenzung
beginnen beginnt anfangen starten startet
tarif tarife paket abo
kostenlos gratis kostenfrei umsonst
scannen lesen liest erfassen erfasst
api schnittstelle programmierschnittstelle
"""

CLUSTERS: Final[Mapping[Language, Mapping[str, int]]] = {
    "en": _table("en", _ENGLISH),
    "de": _table("de", _GERMAN),
    "zh": {},
    "": {},
}

ZH_CLUSTERS: Final = tuple(
    tuple(line.split())
    for line in """
价格 费用 收费 价钱 定价 售价 收钱 要钱
退款 退钱 退费 退还
取消 解约 终止 退订
删除 清除 销毁 抹除
加密 密文
机房 数据中心
发票 账单 开票
折扣 优惠 打折 便宜 减免
试用 免费试用 体验
升级 换到 切换
电话 热线 打电话
邮件 邮箱 电子邮件
导入 上传 迁入
导出 下载
备份 副本
集成 对接 连接 打通 接口 同步
付款 支付 付费 缴费
员工 职员 同事
培训 课程 上手
保存 保留 存储 存放 储存
密码 口令
可用性 可用率 在线率
回复 答复 响应 回应
定制 自定义 个性化
手册 文档 说明书
图片 照片 图像
购买 采购 订购 下单
维修 修理 保修
用户 成员 账号 席位 人数
手机 移动端 移动
上限 最多 最大 限制 不超过
""".strip().splitlines()
)


def same(one: str, other: str, language: Language) -> bool:
    """Whether two roots are one word, or mean the same."""
    table = CLUSTERS[language]
    return one == other or (one in table and table[one] == table.get(other))
