import TestSupport
import Testing

@testable import PostgreSQL

/// The check of a target before libpq uses it. libpq's own errors quote parts of the target.
@Suite struct ConnectionTargetTests {
  /// In each of them, libpq takes a part of the password for something else.
  @Test(arguments: [
    "postgresql://u:SECRET%PW@127.0.0.1:1/x", "postgresql://u:SECRET%@127.0.0.1:1/x", "postgresql://u:SECRETPW@[::1/x",
    "postgresql://u:p@SECRETPW@127.0.0.1:1/x", "postgresql://u:SECRET/PW@127.0.0.1:1/x",
    "postgres://u:1/SECRETPW@127.0.0.1:1/x", "postgresql://u:1?SECRET/PW@127.0.0.1:1/x",
    "postgresql://127.0.0.1:1/x?password=SECRET&PW", "postgresql://127.0.0.1:SECRETPW/x",
    "host=127.0.0.1 port=1 password=SECRET PW", "host=127.0.0.1 port=1 password='SECRET",
  ])
  func anUnescapedPasswordIsRefusedAndNotQuoted(text: String) {
    #expect(throws: PostgreSQLError.malformedTarget) { try ConnectionTarget(text) }
    let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLConnection(text) }
    #expect(error.map { !$0.description.contains("SECRET") && !$0.description.contains("PW") } == true)
  }

  @Test(arguments: [
    ("postgresql:///agency", false), ("postgresql://agency@db.example/agency", false), ("agency", false),
    ("postgresql://a:s%40cr%25t%2F@db.example:5433,other.example:5434/agency?sslmode=verify-full", true),
    ("postgresql://a@[2001:db8::1]:5432/agency", false), ("postgresql:///a%40b?host=/run/postgresql", false),
    ("postgresql://a:b?c@db.example/agency", true), ("postgres://db.example/?password=secret", true),
    ("postgresql:///agency?application_name=a@b", false), ("host=db.example dbname=agency password=secret", true),
  ])
  func aTargetIsTakenAndItsPasswordIsNoticed(text: String, hasPassword: Bool) throws {
    let target = try ConnectionTarget(text)
    #expect(target.text == text && target.hasPassword == hasPassword)
  }

  /// An escaped password is no part of any error.
  @Test func aServerThatIsAwayIsNamedWithoutThePassword() {
    let error = #expect(throws: PostgreSQLError.self) {
      try PostgreSQLConnection("postgresql://u:SECRET%25PW@127.0.0.1:1/x")
    }
    #expect(error?.description.contains("127.0.0.1") == true && error?.description.contains("SECRET") == false)
  }
}
