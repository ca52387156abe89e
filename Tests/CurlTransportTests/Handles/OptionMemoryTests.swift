import CCurlShims
import CLibcurl
import Testing

@testable import CurlTransport

@Suite struct OptionMemoryTests {
  private typealias Said = (option: CURLoption, value: OptionMemory.Value)

  private let weight: Said = (CURLOPT_STREAM_WEIGHT, .number(16))
  private let url: Said = (CURLOPT_URL, .text("http://a/"))
  private let upload: Said = (CURLOPT_UPLOAD, .number(1))

  private func describe(_ options: [Said], in memory: inout OptionMemory) -> [OptionMemory.Step] {
    memory.begin()
    return options.map { memory.note($0.option, $0.value) }
  }

  @Test func `what was said before needs no telling, what is new does`() {
    var memory = OptionMemory()
    #expect(describe([weight, url], in: &memory) == [.tell, .tell])
    #expect(describe([weight, url], in: &memory) == [.nothing, .nothing])
    #expect(describe([weight, (CURLOPT_URL, .text("http://b/"))], in: &memory) == [.nothing, .tell])
    #expect(describe([weight, url], in: &memory) == [.nothing, .tell])
    #expect(describe([weight, (CURLOPT_URL, .text(nil))], in: &memory) == [.nothing, .tell])
    #expect(!memory.hasLeftovers)
  }

  @Test func `a longer description adds to a shorter one`() {
    var memory = OptionMemory()
    _ = describe([weight], in: &memory)
    #expect(describe([weight, upload], in: &memory) == [.nothing, .tell])
  }

  @Test func `what the description before said beyond this one is left over`() {
    var memory = OptionMemory()
    _ = describe([weight, upload, url], in: &memory)
    #expect(describe([weight], in: &memory) == [.nothing])
    #expect(memory.hasLeftovers)
    memory.dropLeftovers()
    #expect(memory.told.map(\.option) == [CURLOPT_STREAM_WEIGHT])
    #expect(!memory.hasLeftovers)
  }

  @Test func `another course is told anew, with what was said before it`() {
    var memory = OptionMemory()
    _ = describe([weight, upload, url], in: &memory)
    #expect(describe([weight, url], in: &memory) == [.nothing, .retell])
    #expect(memory.told.map(\.option) == [CURLOPT_STREAM_WEIGHT, CURLOPT_URL])
    #expect(!memory.hasLeftovers)
  }

  @Test func `after forgetting everything is told`() {
    var memory = OptionMemory()
    _ = describe([weight, url], in: &memory)
    memory.forget()
    #expect(describe([weight, url], in: &memory) == [.tell, .tell])
  }

  @Test func `what is amended is told where it is new, and known from then on`() {
    var memory = OptionMemory()
    _ = describe([weight, url], in: &memory)
    let other: OptionMemory.Value = .text("http://b/")
    let told = [
      memory.amend(CURLOPT_URL, .text("http://a/")), memory.amend(CURLOPT_URL, other),
      memory.amend(CURLOPT_URL, other), memory.amend(CURLOPT_UPLOAD, .number(1)),
    ]
    #expect(told == [false, true, false, false], "the last one was not in the description")
    #expect(describe([weight, (CURLOPT_URL, other)], in: &memory) == [.nothing, .nothing])
  }
}
