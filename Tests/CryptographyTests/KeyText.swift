import Testing

@testable import Cryptography

/// A key in PEM, made for these tests by the `openssl` command, which protects nothing.
struct KeyText: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let kind: AsymmetricKey.Kind
  var bitCount = 0
  var isPrivate = true
  let text: String

  /// The keys that can be read, in each form.
  static let readable = [
    ed25519, ed25519Public, x25519, x25519Public, p256, p256Older, p256WithoutPublicKey, p256Public,
    p256Compressed, p384, p384Public, rsa, rsaOlder, rsaPublic, rsaOlderPublic, rsaPSS, rsaPSSPublic,
  ]
  /// With a password, which is never asked for.
  static let encrypted = [encryptedEd25519, encryptedP256]

  /// The key, or nil if it can't be read.
  var key: AsymmetricKey? { isPrivate ? AsymmetricKey(privatePEM: text) : AsymmetricKey(publicPEM: text) }

  static let ed25519 = KeyText(
    testDescription: "ed25519", kind: .ed25519,
    text: """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIEJUZVV7jC2hPAFPGrXLNzyoxeYwYZDrL3z9Cg3Vi+Ah
      -----END PRIVATE KEY-----
      """)
  static let ed25519Public = KeyText(
    testDescription: "ed25519Public", kind: .ed25519, isPrivate: false,
    text: """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEAfBUFYQW4iFGAaJEvQN8F94ziVWM1Jp5qCjBbILqrPmw=
      -----END PUBLIC KEY-----
      """)
  static let x25519 = KeyText(
    testDescription: "x25519", kind: .x25519,
    text: """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VuBCIEIJBdAwgLnBuPXqkMZOTGLJmp0jj69SP711OjgNmCUzhp
      -----END PRIVATE KEY-----
      """)
  static let x25519Public = KeyText(
    testDescription: "x25519Public", kind: .x25519, isPrivate: false,
    text: """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VuAyEAlXt2YJvS1Li7VNa80dCsIq/NzMzlwjwMZiJGhmj8ZUY=
      -----END PUBLIC KEY-----
      """)
  /// In PKCS #8.
  static let p256 = KeyText(
    testDescription: "p256", kind: .p256,
    text: """
      -----BEGIN PRIVATE KEY-----
      MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOhCbxZOABLQOcUks
      w6GPhotIlpw1G8bfYW/10rHkMSihRANCAARV8xo/2K1EtG3FkyVt9SgG/m4kyTy3
      QaLog0fdZA/ZxfPB5yWWG40XtvmBO8SRcO9LIGCF/CyRxgWc8OKGpqG8
      -----END PRIVATE KEY-----
      """)
  /// The same key in the form of RFC 5915, after the block with the curve that `openssl ecparam` writes.
  static let p256Older = KeyText(
    testDescription: "p256Older", kind: .p256,
    text: """
      -----BEGIN EC PARAMETERS-----
      BggqhkjOPQMBBw==
      -----END EC PARAMETERS-----
      -----BEGIN EC PRIVATE KEY-----
      MHcCAQEEIDoQm8WTgAS0DnFJLMOhj4aLSJacNRvG32Fv9dKx5DEooAoGCCqGSM49
      AwEHoUQDQgAEVfMaP9itRLRtxZMlbfUoBv5uJMk8t0Gi6INH3WQP2cXzwecllhuN
      F7b5gTvEkXDvSyBghfwskcYFnPDihqahvA==
      -----END EC PRIVATE KEY-----
      """)
  /// The same key without the public one, which is optional.
  static let p256WithoutPublicKey = KeyText(
    testDescription: "p256WithoutPublicKey", kind: .p256,
    text: """
      -----BEGIN EC PRIVATE KEY-----
      MDECAQEEIDoQm8WTgAS0DnFJLMOhj4aLSJacNRvG32Fv9dKx5DEooAoGCCqGSM49
      AwEH
      -----END EC PRIVATE KEY-----
      """)
  static let p256Public = KeyText(
    testDescription: "p256Public", kind: .p256, isPrivate: false,
    text: """
      -----BEGIN PUBLIC KEY-----
      MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVfMaP9itRLRtxZMlbfUoBv5uJMk8
      t0Gi6INH3WQP2cXzwecllhuNF7b5gTvEkXDvSyBghfwskcYFnPDihqahvA==
      -----END PUBLIC KEY-----
      """)
  /// The same public key as one number and a sign.
  static let p256Compressed = KeyText(
    testDescription: "p256Compressed", kind: .p256, isPrivate: false,
    text: """
      -----BEGIN PUBLIC KEY-----
      MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACVfMaP9itRLRtxZMlbfUoBv5uJMk8
      t0Gi6INH3WQP2cU=
      -----END PUBLIC KEY-----
      """)
  static let p384 = KeyText(
    testDescription: "p384", kind: .other,
    text: """
      -----BEGIN PRIVATE KEY-----
      MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDBPUVsEaTFsEoW+7TNP
      uOyU/vYvbP8FT4QN4Gcw4p13+B+ApjN65L/TiX04Ymf2yTahZANiAATsynDs4K+G
      NoONHzf4R2a+ofL8RtAiNsowA/DKmk35phI7dcp1BfZJU4gC/Y/HAU4LKGNhtsYB
      U+fOYVt/jsljFntBAuq15oaBgofJTFkD3A0/VPVjJxNKn1AEuSXggKw=
      -----END PRIVATE KEY-----
      """)
  static let p384Public = KeyText(
    testDescription: "p384Public", kind: .other, isPrivate: false,
    text: """
      -----BEGIN PUBLIC KEY-----
      MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE7Mpw7OCvhjaDjR83+EdmvqHy/EbQIjbK
      MAPwyppN+aYSO3XKdQX2SVOIAv2PxwFOCyhjYbbGAVPnzmFbf47JYxZ7QQLqteaG
      gYKHyUxZA9wNP1T1YycTSp9QBLkl4ICs
      -----END PUBLIC KEY-----
      """)
  /// In PKCS #8.
  static let rsa = KeyText(
    testDescription: "rsa", kind: .rsa, bitCount: 1_024,
    text: """
      -----BEGIN PRIVATE KEY-----
      MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAKaXmfRgxjHH52h7
      InBxoAjHPNImPGxaXLo3ivr2eCPnSShKdaOz7802WPuwgf8ocNDYHqoFf+mhuqW6
      vNpo//6nysZqsWmBhzWAsaAUGPmb7W294w8T9sdWdcA/laTiDnSlbnOYDlavfz+I
      R8/xrJShMYRKxQrdGFNiuSG5jUL/AgMBAAECgYEAmKEVAH0ZmMpaDbOjHfo8cU55
      PuChQ3SWuFXjE4N1Fw/0SuHNXiqhbhZ4+EADGk9m7TDVB1j6lIcEhorMNB83ShJh
      XbEFwj91bILgBj4G6NDlfESTIjD/6SQywV14j+pxrCbG1ZafUIaeOruAFLiOJnIP
      0bdncyfxCqTe1c4rgGECQQDZ/YaNkA3kCuz3+7xdtknWhbD61K4xG5BAUvzDvmAf
      mxZDeY/5gc1IM0KVf9MJqosKNbWtL+OQQkl1v0lJJReTAkEAw6POu72YGeFC2o0X
      V/xd2ABiWVtmerby66eBq7iDl2HTcMORI6LDDi1WA85qmI60Vcr/wHzOapyfmhYg
      fRbyZQJAFSQ1bH1QG5HDsblEZ4JKXvfQVkNSMYkO0G47/W/1Opt76Udc40Hnet0d
      1An1mbZkjbTvzcAbPd5v6W+H2AQ06QJAcCKoEDvvvoW7CAHu62Ofdnth483bw2Kx
      ghkU3hR4eIB97RhrTH2yR6H8t1nNB3xkKPid9vqSZdE4Od2M6aYJcQJARNVNEoP4
      f5fvs4qyaf9SeqD8G4PWc3gdn8emKmTHA7cH4A+2uTEy5EDanK8k2ZxVJgfZQ2H6
      +3u/FbXZlF5Z1w==
      -----END PRIVATE KEY-----
      """)
  /// The same key in PKCS #1.
  static let rsaOlder = KeyText(
    testDescription: "rsaOlder", kind: .rsa, bitCount: 1_024,
    text: """
      -----BEGIN RSA PRIVATE KEY-----
      MIICXAIBAAKBgQCml5n0YMYxx+doeyJwcaAIxzzSJjxsWly6N4r69ngj50koSnWj
      s+/NNlj7sIH/KHDQ2B6qBX/pobqlurzaaP/+p8rGarFpgYc1gLGgFBj5m+1tveMP
      E/bHVnXAP5Wk4g50pW5zmA5Wr38/iEfP8ayUoTGESsUK3RhTYrkhuY1C/wIDAQAB
      AoGBAJihFQB9GZjKWg2zox36PHFOeT7goUN0lrhV4xODdRcP9ErhzV4qoW4WePhA
      AxpPZu0w1QdY+pSHBIaKzDQfN0oSYV2xBcI/dWyC4AY+BujQ5XxEkyIw/+kkMsFd
      eI/qcawmxtWWn1CGnjq7gBS4jiZyD9G3Z3Mn8Qqk3tXOK4BhAkEA2f2GjZAN5Ars
      9/u8XbZJ1oWw+tSuMRuQQFL8w75gH5sWQ3mP+YHNSDNClX/TCaqLCjW1rS/jkEJJ
      db9JSSUXkwJBAMOjzru9mBnhQtqNF1f8XdgAYllbZnq28uungau4g5dh03DDkSOi
      ww4tVgPOapiOtFXK/8B8zmqcn5oWIH0W8mUCQBUkNWx9UBuRw7G5RGeCSl730FZD
      UjGJDtBuO/1v9Tqbe+lHXONB53rdHdQJ9Zm2ZI20783AGz3eb+lvh9gENOkCQHAi
      qBA7776FuwgB7utjn3Z7YePN28NisYIZFN4UeHiAfe0Ya0x9skeh/LdZzQd8ZCj4
      nfb6kmXRODndjOmmCXECQETVTRKD+H+X77OKsmn/Unqg/BuD1nN4HZ/HpipkxwO3
      B+APtrkxMuRA2pyvJNmcVSYH2UNh+vt7vxW12ZReWdc=
      -----END RSA PRIVATE KEY-----
      """)
  static let rsaPublic = KeyText(
    testDescription: "rsaPublic", kind: .rsa, bitCount: 1_024, isPrivate: false,
    text: """
      -----BEGIN PUBLIC KEY-----
      MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCml5n0YMYxx+doeyJwcaAIxzzS
      JjxsWly6N4r69ngj50koSnWjs+/NNlj7sIH/KHDQ2B6qBX/pobqlurzaaP/+p8rG
      arFpgYc1gLGgFBj5m+1tveMPE/bHVnXAP5Wk4g50pW5zmA5Wr38/iEfP8ayUoTGE
      SsUK3RhTYrkhuY1C/wIDAQAB
      -----END PUBLIC KEY-----
      """)
  /// The same public key in PKCS #1.
  static let rsaOlderPublic = KeyText(
    testDescription: "rsaOlderPublic", kind: .rsa, bitCount: 1_024, isPrivate: false,
    text: """
      -----BEGIN RSA PUBLIC KEY-----
      MIGJAoGBAKaXmfRgxjHH52h7InBxoAjHPNImPGxaXLo3ivr2eCPnSShKdaOz7802
      WPuwgf8ocNDYHqoFf+mhuqW6vNpo//6nysZqsWmBhzWAsaAUGPmb7W294w8T9sdW
      dcA/laTiDnSlbnOYDlavfz+IR8/xrJShMYRKxQrdGFNiuSG5jUL/AgMBAAE=
      -----END RSA PUBLIC KEY-----
      """)
  static let rsaPSS = KeyText(
    testDescription: "rsaPSS", kind: .rsaPSS, bitCount: 2_048,
    text: """
      -----BEGIN PRIVATE KEY-----
      MIIEugIBADALBgkqhkiG9w0BAQoEggSmMIIEogIBAAKCAQEA3b7eoxKCwDiIiF8c
      SZSmh4hr/E2CIw0qsyTMQ4/8J0kv/X6aXlsfo9kUfklAWZ61wA0TbqTJKNVAFo+I
      KucqvD9rel9x+XtMvap9b7b+IKKwqw2fPVonzK30PVJGcHJ514Zr2Tw7BIA6Fv1m
      p3ybrYqpy0TkJN1/beh0yE1P2A7TVckg1FG5i2782zQ/MEsO0pXOzsnT9xoKmv2T
      BZJvuBXmKIJ77KMC/fuwuOHMI8wxiaS9W8OI0UXjNIPGCI6rI/ZInpuaT9DxN50H
      hiW7+Fv7YDc3ek1a8tqG7Qe+opT0QKE/p1/fS/z0ujO4GORDHKfKk+1+whKfIP4/
      9hOfMwIDAQABAoIBAADCd2MHlesfbvJDltyLi7fjGi6zzLNUXaqnJ81ey+dMrCFa
      fSAdqjUAZ6QzRh9NssL17mJlfHIx1WVUmAPyWEuaY3G55XKw9TehCWuKnT96bzMn
      ys+3i4hMMc9UDNjJKARZ6lTKHxKyplPi77D9HJkMo0WJIwY1jRqhy3R1mKYUUOGK
      5cpNUr7QT4pXe8etgrekSvsxdWsdhkUpIlOs1RLPBR5XIZUl0TfRxUgDPgOvGb6R
      bvz/pUjlD/r8q0pDHKe3tSwzJmwrKffxOAddecHHyYUay/+jiYCfupiONJTFlA6x
      ck51qefzVTSty98WjpzQrTfy+RWUbyiQ9Iv6+oECgYEA9lgewLkdo5CVunRX2anO
      WGW+oG/7J9wtvRnSl/IpvZgVYVc0z0wUxkofrno7H06e+Ryapb9UuDRC3dNCns+s
      8aY9xEyPaHGVJ1kTMwN529D2XW6OGCca4fc2FJMdSGLXYhmdWCNzS+o5x5owjoBE
      aNxmtrOvqWWUAl6oBFogjUECgYEA5m/rsFku7389td8MtQsT2Mj1DGBOl3Acr1gZ
      h8ct2hI2W2FvpOi6LIBrxq+1MDufVvZjm7Di5DItGNMHT/RPbGdc4s/Cgi8U7uNZ
      5wT+UuN6VZpEbdT4t32H9/7x5HAlzv98VIdhAB+KhTDhj32DpAxVYLM6KkYTVKqQ
      cYHqa3MCgYAVTDUMcHSxiXSIdDqMJPQkDFfYwxWxsoV5zdu5K0SUkat3iPSV33wE
      ULBAg2zNHhz8aI6uOcZ3Tn1hdDxUQpwvIDJC4GOdogRFLJxOUsScToqeNUqvp+HZ
      G2hfiwCDG5iHcLN7xUTYkV2BdkEwcMJ5VmTC8vIC8TdEpS5dgfVCgQKBgEFli+bN
      OJPBcZr2xR1wGl7QkTLE9ijmKU3d28j7zthviLugSFXtskBE5dFKNkqM8Sh13kjm
      B04pq0C7Svz24b9rCiJYQeQ+RluRbAczFJYjdqlqkXb2FOvGFVtdH/rrlN9NBFTc
      4rttOBuahrj5Lu3UjjpWQvCSWJQTn9CGxSdfAoGAFQVW/648oPL2GocZHCzlBY8w
      2szmP+Xg9fSAY8qtfxsVA9QgQVQxwNExGwlSs4f7itejlC/cgwwDY/OCSdlvPckz
      ZPPhVWzHVYEQTnDJ+mOSIxPYty2BbAkC7PQJqGAbi3dzWDgws7zH9Q4lr2bFGPOR
      VYaPtsoO9LzsiE7TTvQ=
      -----END PRIVATE KEY-----
      """)
  static let rsaPSSPublic = KeyText(
    testDescription: "rsaPSSPublic", kind: .rsaPSS, bitCount: 2_048, isPrivate: false,
    text: """
      -----BEGIN PUBLIC KEY-----
      MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBAN2+3qMSgsA4iIhfHEmUpoeI
      a/xNgiMNKrMkzEOP/CdJL/1+ml5bH6PZFH5JQFmetcANE26kySjVQBaPiCrnKrw/
      a3pfcfl7TL2qfW+2/iCisKsNnz1aJ8yt9D1SRnByedeGa9k8OwSAOhb9Zqd8m62K
      qctE5CTdf23odMhNT9gO01XJINRRuYtu/Ns0PzBLDtKVzs7J0/caCpr9kwWSb7gV
      5iiCe+yjAv37sLjhzCPMMYmkvVvDiNFF4zSDxgiOqyP2SJ6bmk/Q8TedB4Ylu/hb
      +2A3N3pNWvLahu0HvqKU9EChP6df30v89LozuBjkQxynypPtfsISnyD+P/YTnzMC
      AwEAAQ==
      -----END PUBLIC KEY-----
      """)
  static let encryptedEd25519 = KeyText(
    testDescription: "encryptedEd25519", kind: .ed25519,
    text: """
      -----BEGIN ENCRYPTED PRIVATE KEY-----
      MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAg+FvjzyMcxhQICCAAw
      DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBmbraqlDqz5Wj7MYss55qYEQKxD
      Vo8KOM7YnSqn0q7eEyko6dQKnjYIoTL3Hy7o4c0ON0H4bF4Imfdt82I9IEu1ynqC
      FoETIix5tfOSjLbfgsM=
      -----END ENCRYPTED PRIVATE KEY-----
      """)
  /// In the older form.
  static let encryptedP256 = KeyText(
    testDescription: "encryptedP256", kind: .p256,
    text: """
      -----BEGIN EC PRIVATE KEY-----
      Proc-Type: 4,ENCRYPTED
      DEK-Info: AES-128-CBC,4D06069A85CD0362D32B0CE089D53EBC

      ldQBADTkTRX1qbTRwrcPfKiNtWpu3XvnmX3b4DxhWuE3EvZhFEMUFk1UqNwe/zej
      AnP6gwR3DruAejJSr/q8GpaytTKKcScTFFx+cgyyo5P6TNp/E4h0qJ0OBGvgGIJS
      EXJeKQg7/rKPCQHKIReR6KGHY0TqaucfM1m7+QjxnEY=
      -----END EC PRIVATE KEY-----
      """)
}
