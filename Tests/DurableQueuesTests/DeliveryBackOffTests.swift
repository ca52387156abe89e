import DurableQueues
import Interception
import Testing

@Suite struct DeliveryBackOffTests {
  private let now = WallTime(secondsSince1970: 1_700_000_000)

  @Test("The limit of the wait doubles from 1 s to 5 min, and the wait is a random part of it")
  func limits() {
    var backOff = DeliveryBackOff()
    var waits: [Duration] = []
    for _ in 0..<12 {
      backOff.fail(retryAfter: nil, now: now, random: 0.5)
      waits.append(backOff.wait(now: now) ?? .zero)
    }
    let limits: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]
    #expect(waits == limits.map { .seconds($0) * 0.5 })
    for _ in 0..<2_000 { backOff.fail(retryAfter: nil, now: now, random: 0.999) }
    #expect(backOff.wait(now: now) ?? .zero <= .seconds(300))
    backOff.succeed()
    #expect(backOff.wait(now: now) == nil && backOff.failures == 0)
  }

  @Test("A server's wait is obeyed up to 5 min, and a clock that is set back ends it")
  func retryAfter() {
    var backOff = DeliveryBackOff()
    backOff.fail(retryAfter: .seconds(40), now: now, random: 0)
    #expect(backOff.wait(now: now) == .seconds(40))
    backOff.fail(retryAfter: .seconds(86_400), now: now, random: 0)
    #expect(backOff.wait(now: now) == .seconds(300))
    #expect(backOff.wait(now: now.advanced(by: .seconds(-1_000_000))) == nil)
    #expect(backOff.wait(now: now.advanced(by: .seconds(300))) == nil)
  }

  @Test("The state survives a restart")
  func record() throws {
    var backOff = DeliveryBackOff()
    backOff.fail(retryAfter: nil, now: now, random: 0.25)
    var writer = RecordWriter()
    backOff.encode(to: &writer)
    var reader = try RecordReader(writer.finish())
    #expect(try DeliveryBackOff(from: &reader) == backOff)
    #expect(reader.isAtEnd)
  }
}
