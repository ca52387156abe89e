import Testing

@testable import CurlTransport

@Suite struct TransferTableTests {
  @Test func `it holds what a dictionary holds, whatever is added and removed`() {
    var random = SplitMix(state: 7)
    var table = TransferTable<Int>()
    var model: [UInt64: Int] = [:]
    var next: UInt64 = 0
    for step in 0..<20_000 {
      // Bursts of both make old and new ones meet in the same places.
      if random.next() % 100 < (step / 1000 % 2 == 0 ? 60 : 40) || model.isEmpty {
        next += 1 + random.next() % 70
        table.insert(step, for: TransferID(number: next))
        model[next] = step
      } else if let number = model.keys.min(by: { $0 &* 0x9E37 % 251 < $1 &* 0x9E37 % 251 }) {
        #expect(table.remove(TransferID(number: number)) == model.removeValue(forKey: number))
      }
      if step % 97 == 0 {
        #expect(table.count == model.count)
        #expect(Set(table.values) == Set(model.values))
        for (number, value) in model { #expect(table[TransferID(number: number)] == value) }
      }
    }
  }

  @Test func `what isn't there isn't found and isn't removed`() {
    var table = TransferTable<String>()
    table.insert("one", for: TransferID(number: 1))
    #expect(table[TransferID(number: 65)] == nil)
    #expect(table.remove(TransferID(number: 65)) == nil)
    #expect(table[TransferID(number: 1)] == "one")
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
