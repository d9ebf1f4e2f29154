"""Buckets."""

from hiddenagenda.pace import Bucket


def test_a_bucket_gives_what_it_holds_and_fills_again() -> None:
    bucket = Bucket(3, 2, 10.0)
    assert [bucket.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(10.5)
    assert not bucket.take(10.5)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_a_clock_that_stands_still_fills_nothing() -> None:
    bucket = Bucket(1, 100, 5.0)
    assert bucket.take(5.0)
    assert not bucket.take(4.0)


def test_a_debt_is_told_in_seconds() -> None:
    bucket = Bucket(10, 5, 0.0)
    assert bucket.debt(0.0, 10) == 0.0
    assert bucket.debt(0.0, 10) == 2.0
    assert bucket.debt(2.0, 5) == 1.0
