"""Replies with right and wrong citations about a report of our own making: what verify-and-repair is measured on.


A case says what the model wrote, which paragraphs it cited (words that only they have), which ones are right, its kind.
"""

from typing import NamedTuple

from citewell.document import Document

PARAGRAPHS = (
    "The Harrow Glassworks melted 61,400 tonnes of glass in 2031. In 2030 it had melted 58,200 tonnes.",
    "Revenue rose by 8.5 percent to 212.6 million kroner. The rise came mostly from bottles for pharmacies.",
    "Profit before tax was 17.3 million kroner, after 19.8 million the year before. Dearer soda ash took the difference.",
    "The furnace in Lund was relined between March and June. It stood still for 74 days and went back into service on 12 June.",
    "A crack in the regenerator wall caused the longest stoppage. Sand had been stored too wet, and steam burst the bricks.",
    "The workforce numbered 1,148 people at the end of the year. Of these, 412 worked in Lund and 736 in Odense.",
    "The supervisory board appointed Ingrid Maas as managing director with effect from 1 September 2031.",
    "Her predecessor, Tomas Rehn, left the company at his own request after eleven years.",
    "Energy consumption per tonne fell from 1.62 to 1.49 megawatt hours. A heat exchanger in Odense accounts for most of it.",
    "Forty percent of the raw material was recycled glass. The law of 2029 demands half by 2035.",
    "The company paid a dividend of 2.40 kroner a share in May. The board proposes 2.10 kroner for the coming year.",
    "Three employees were injured in accidents, none of them seriously. Two years earlier the number was nine.",
    "A customer in Ghent returned 31,000 jars because their lids did not close. Harrow replaced them free of charge.",
    "The patent on the thin-walled vial expires in 2036. Two competitors have lodged objections with the patent office.",
    "The harbour railway moved 68 percent of all shipments. Lorries carried the remainder, mostly to inland breweries.",
    "Loans of 45 million kroner fall due in 2033. The banks have already agreed to extend them by five years.",
    "Inspectors measured nitrogen oxides of 410 milligrams per cubic metre, below the limit of 500.",
    "The new laboratory in Odense cost 9.7 million kroner. It tests every batch within forty minutes.",
)  # fmt: skip
REPORT = Document.from_text("\n\n".join(PARAGRAPHS), title="Annual report of the Harrow Glassworks")


class Case(NamedTuple):
    """A statement, the paragraphs that the model cited (from 0), the right ones (none: it is invented), its kind."""

    target: str
    cited: tuple[int, ...]
    right: tuple[int, ...]
    kind: str


CASES = (
    # Right, in the words of the report.
    Case("Harrow melted 61,400 tonnes of glass in 2031.", (0,), (0,), "same words"),
    Case("Revenue rose by 8.5 percent to 212.6 million kroner.", (1,), (1,), "same words"),
    Case("Profit before tax was 17.3 million kroner.", (2,), (2,), "same words"),
    Case("Ingrid Maas was appointed managing director.", (6,), (6,), "same words"),
    Case("Loans of 45 million kroner fall due in 2033.", (15,), (15,), "same words"),
    Case("The laboratory in Odense cost 9.7 million kroner.", (17,), (17,), "same words"),
    # Right, reworded.
    Case("Wet sand was to blame for the worst stoppage.", (4,), (4,), "reworded"),
    Case("The furnace in Lund got a new lining in spring, which took some ten weeks.", (3,), (3,), "reworded"),
    Case("More than one thousand people were on the payroll at the end of the year.", (5,), (5,), "reworded"),
    Case("Tomas Rehn went of his own accord.", (7,), (7,), "reworded"),
    Case("Three people were hurt at work, but not badly.", (11,), (11,), "reworded"),
    Case("A Belgian customer sent back jars whose lids were faulty.", (12,), (12,), "reworded"),
    Case("Competitors are contesting its rights in the thin vial.", (13,), (13,), "reworded"),
    Case("Most of what it ships leaves by rail.", (14,), (14,), "reworded"),
    Case("The banks will give it longer to pay back its loans.", (15,), (15,), "reworded"),
    Case("Emissions of nitrogen oxides stayed within what is permitted.", (16,), (16,), "reworded"),
    Case("The dividend is to be lower in the coming year.", (10,), (10,), "reworded"),
    Case("Bottles for chemists drove the growth in sales.", (1,), (1,), "reworded"),
    # Right, in another language than the report.
    Case("Die Glashütte schmolz im Jahr 2031 insgesamt 61.400 Tonnen Glas.", (0,), (0,), "other language"),
    Case("Der Umsatz stieg um 8,5 Prozent auf 212,6 Millionen Kronen.", (1,), (1,), "other language"),
    Case("Zum Jahresende waren bei dem Unternehmen 1.148 Menschen beschäftigt.", (5,), (5,), "other language"),
    Case("2031年该公司熔化了61,400吨玻璃。", (0,), (0,), "other language"),
    Case("新实验室位于欧登塞，每批产品都在四十分钟内完成检测。", (17,), (17,), "other language"),
    Case("ارتفعت الإيرادات بنسبة 8.5 في المئة لتصل إلى 212.6 مليون كرونة.", (1,), (1,), "other language"),
    Case("لم يتعرض أي من الموظفين لإصابات خطيرة.", (11,), (11,), "other language"),
    # Right, numbers in other formats.
    Case("Revenue rose to 212,600,000 kroner.", (1,), (1,), "other format"),
    Case("The dividend paid in May was 2.4 kroner a share.", (10,), (10,), "other format"),
    Case("40% of the raw material was recycled glass.", (9,), (9,), "other format"),
    Case("The furnace in Lund stood still for seventy-four days.", (3,), (3,), "other format"),
    Case("The customer in Ghent returned thirty-one thousand jars.", (12,), (12,), "other format"),
    Case("Harrow melted 61.4 thousand tonnes of glass in 2031.", (0,), (0,), "other format"),
    # Right, and both citations are needed.
    Case("Ingrid Maas became managing director after Tomas Rehn left the company.", (6, 7), (6, 7), "jointly"),
    Case("Revenue rose by 8.5 percent while profit before tax fell to 17.3 million kroner.", (1, 2), (1, 2), "jointly"),
    Case("Recycled glass was forty percent of the raw material and energy per tonne fell to 1.49 megawatt hours.",
         (8, 9), (8, 9), "jointly"),
    Case("The workforce numbered 1,148 people, of whom three were injured in accidents.", (5, 11), (5, 11), "jointly"),
    # Wrong: another paragraph has it, in the same words.
    Case("Profit before tax was 17.3 million kroner.", (1,), (2,), "wrong paragraph"),
    Case("Forty percent of the raw material was recycled glass.", (8,), (9,), "wrong paragraph"),
    Case("The patent on the thin-walled vial expires in 2036.", (15,), (13,), "wrong paragraph"),
    Case("The harbour railway moved 68 percent of all shipments.", (9,), (14,), "wrong paragraph"),
    Case("Ingrid Maas is managing director from 1 September 2031.", (7,), (6,), "wrong paragraph"),
    Case("The company paid a dividend of 2.40 kroner a share in May.", (2,), (10,), "wrong paragraph"),
    # Wrong: what is cited shares words or a place with what is said.
    Case("Of the workforce, 412 worked in Lund.", (3,), (5,), "near paragraph"),
    Case("The laboratory in Odense tests every batch within forty minutes.", (8,), (17,), "near paragraph"),
    Case("In 2030 Harrow melted 58,200 tonnes of glass.", (9,), (0,), "near paragraph"),
    Case("The board proposes 2.10 kroner a share for the coming year.", (6,), (10,), "near paragraph"),
    # Wrong, and reworded at that.
    Case("Jars came back from Ghent because the lids would not close.", (4,), (12,), "wrong and reworded"),
    Case("Nitrogen oxides were measured below the permitted limit of 500.", (11,), (16,), "wrong and reworded"),
    # Wrong: the report says nothing of it.
    Case("The company sponsors a sailing school for apprentices.", (14,), (), "invented"),
    Case("Penguins steer the submarines at midnight.", (3,), (), "invented"),
    Case("A subsidiary in Chile was sold to its former owners.", (15,), (), "invented"),
    Case("Its chief chemist won a prize for poetry.", (16,), (), "invented"),
)  # fmt: skip
