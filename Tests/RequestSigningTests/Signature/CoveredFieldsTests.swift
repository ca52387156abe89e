import HTTPTypes
import Interception
import Testing

@testable import RequestSigning

@Suite struct CoveredFieldsTests {
  /// The covered names, those that a request has, and those that its signature covers.
  private struct Case: CustomStringConvertible {
    let covered: [String]
    let present: [String]
    let expected: String

    var description: String { "\(covered) of \(present)" }
  }

  private static let many = ["A1", "A2", "A3", "A4", "A5", "A6"]

  private static let cases: [Case] = [
    Case(covered: [], present: ["Accept"], expected: ""),
    Case(covered: ["Authorization", "Content-Type"], present: [], expected: ""),
    Case(
      covered: ["Authorization", "Content-Type"], present: ["Content-Type", "Authorization"],
      expected: "authorization content-type"),
    Case(covered: ["Authorization", "Content-Type"], present: ["Content-Type"], expected: "content-type"),
    Case(covered: ["Authorization"], present: ["Authorization", "Authorization"], expected: "authorization"),
    Case(covered: many, present: ["A6", "A2"], expected: "a2 a6"),
    Case(covered: many, present: many, expected: "a1 a2 a3 a4 a5 a6"),
    Case(covered: ["Accept", "Accept"], present: ["Accept"], expected: "accept"),
    Case(
      covered: ["Switchyard-Nonce", "Accept"], present: ["Accept", "Switchyard-Nonce"], expected: "accept"),
    Case(
      covered: ["Accept"], present: ["X-HTTP-Method-Override", "Accept"],
      expected: "accept x-http-method-override"),
    Case(covered: [], present: ["X-Method-Override"], expected: "x-method-override"),
    Case(
      covered: many, present: ["A1", "X-HTTP-Method", "X-Method-Override"],
      expected: "a1 x-http-method x-method-override"),
    Case(covered: ["X-HTTP-Method"], present: ["X-HTTP-Method"], expected: "x-http-method"),
  ]

  @Test(
    "The signature covers the fields that a request has, in the order of the configuration",
    arguments: cases.indices)
  func present(index: Int) throws {
    let test = Self.cases[index]
    let covered = CoveredFields(try test.covered.map { try #require(HTTPField.Name($0)) })
    var fields = HTTPFields()
    for (number, name) in test.present.enumerated() {
      fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: "\(number)"))
    }
    let present = covered.present(in: fields)
    #expect(present.names == test.expected, "\(test)")
    #expect(present.field?.value ?? "" == test.expected)
    #expect(present.field == nil || present.field?.name == SignatureFields.covered)
    let names = test.expected.split(separator: " ").compactMap { HTTPField.Name(String($0)) }
    #expect(present.values == names.compactMap { fields.bytes(of: $0).map { FieldText($0) } })
  }
}
