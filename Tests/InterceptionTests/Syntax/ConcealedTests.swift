import Testing

@testable import Interception

@Suite struct ConcealedTests {
  private struct Key: Concealed {
    let id: String
    let secret: String
    var description: String { "Key(\(id))" }
  }

  @Test("A concealed value shows its description only, however it is printed, dumped or reflected")
  func shows() {
    let key = Key(id: "a", secret: "hunter2")
    var dumped = ""
    dump([key], to: &dumped)
    let texts = [
      "\(key)", String(describing: key), String(reflecting: key), "\([key])", "\(Optional(key) as Any)",
      dumped,
      "\(Mirror(reflecting: key).children.map { "\($0)" })",
    ]
    for text in texts { #expect(text.contains("Key(a)") && !text.contains("hunter2"), "\(text)") }
  }
}
