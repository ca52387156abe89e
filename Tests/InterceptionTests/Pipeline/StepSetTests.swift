import Testing

@testable import Interception

@Suite("A set of steps")
struct StepSetTests {
  @Test("has the indices it was made of and no others")
  func members() {
    let set = StepSet([0, 3, 63])
    #expect((0..<200).filter(set.contains) == [0, 3, 63])
    #expect((0..<200).filter(StepSet.empty.contains).isEmpty)
  }

  @Test("of an index that it can't hold is empty, so that every step takes the long way")
  func tooLong() {
    #expect((0..<200).filter(StepSet([0, 1, 64]).contains).isEmpty)
  }
}
