import Testing

@testable import RequestValidation

@Suite("A constraint on a parameter")
struct ParameterConstraintTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let constraint: ParameterConstraint
    let admitted: [String]
    let refused: [String]
    var testDescription: String { constraint.clause }

    init(_ constraint: ParameterConstraint, _ admitted: [String], not refused: [String]) {
      (self.constraint, self.admitted, self.refused) = (constraint, admitted, refused)
    }
  }

  static let cases: [Case] = [
    Case(
      .integer(), ["0", "-7", "9223372036854775807"], not: ["+1", "01", "1.0", "x", "9223372036854775808"]),
    Case(.integer(in: 1...100), ["1", "100"], not: ["0", "101", "-1", "1e1"]),
    Case(.number(), ["1", "-2.5", "6e-3"], not: ["nan", "inf", "0x1p3", "1e999", "1,5", "--1"]),
    Case(.number(in: 0...1), ["0", "0.5", "1"], not: ["-0.1", "1.01"]),
    Case(.length(2...3), ["ab", "äöü", "👨‍👩‍👧👨‍👩‍👧"], not: ["a", "abcd", String(repeating: "a", count: 1_000_000)]),
    Case(.oneOf(["asc", "desc"]), ["asc", "desc"], not: ["Asc", "asc ", "ascdesc"]),
    Case(.matching("four letters") { /[a-z]{4}/ }, ["abcd"], not: ["abc", "abcde", "abcd\n"]),
    Case(.satisfying("a palindrome") { $0 == String($0.reversed()) }, ["abba"], not: ["ab"]),
  ]

  @Test("Each admits exactly what its clause says, and an absent or empty parameter", arguments: cases)
  func texts(_ row: Case) {
    for text in row.admitted { #expect(row.constraint.isMet(by: [text]), "\(text)") }
    for text in row.refused { #expect(!row.constraint.isMet(by: [text]), "\(text.prefix(40))") }
    #expect(row.constraint.isMet(by: []) && row.constraint.isMet(by: [""]))
  }

  @Test("A required parameter is present and not empty, and every value meets the other constraints")
  func values() {
    #expect(!ParameterConstraint.required.isMet(by: []) && !ParameterConstraint.required.isMet(by: [""]))
    #expect(
      ParameterConstraint.required.isMet(by: ["", "a"]) && ParameterConstraint.required.isMet(by: [nil]))
    #expect(ParameterConstraint.integer().isMet(by: ["1", "", "2"]))
    #expect(!ParameterConstraint.integer().isMet(by: ["1", "x"]))
    #expect(!ParameterConstraint.satisfying("anything") { _ in true }.isMet(by: ["1", nil]))
  }
}
