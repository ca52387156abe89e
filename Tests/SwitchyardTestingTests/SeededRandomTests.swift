import Testing

@testable import SwitchyardTesting

@Suite struct SeededRandomTests {
  @Test("The generator yields the reference numbers of xoshiro256**")
  func xoshiro() {
    var random = SeededRandom(state: (1, 2, 3, 4))
    let reference: [UInt64] = [
      11_520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360,
      607_988_272_756_665_600, 16_172_922_978_634_559_625, 8_476_171_486_693_032_832,
      10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
    ]
    #expect(reference.map { _ in random.next() } == reference)
  }

  @Test("The seed is expanded to the reference numbers of splitmix64")
  func splitmix() {
    var mixer = SplitMix(state: 1_234_567)
    let reference: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
    ]
    #expect(reference.map { _ in mixer.next() } == reference)
  }

  @Test("Equal seeds yield equal sequences, and different seeds different ones")
  func seeds() {
    var (first, second, other) = (SeededRandom(seed: 7), SeededRandom(seed: 7), SeededRandom(seed: 8))
    let numbers = (0..<100).map { _ in first.next() }
    #expect(numbers == (0..<100).map { _ in second.next() })
    #expect(numbers != (0..<100).map { _ in other.next() })
  }

  @Test("Drawing from a fork does not change the numbers of its origin")
  func fork() {
    var (left, right) = (SeededRandom(seed: 7), SeededRandom(seed: 7))
    var (fork, twin) = (left.fork(), right.fork())
    for _ in 0..<10 { _ = fork.next() }
    #expect(left.next() == right.next())
    #expect(twin.next() != left.next())
  }
}
