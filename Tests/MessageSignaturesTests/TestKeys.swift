/// Keys made for these tests, which protect nothing.
enum TestKeys {
  static let ed25519Private = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIPpPHR0PpY/2Ir1DuYd+1LG2eQfTwYzKrVaQPxPUDB4z
    -----END PRIVATE KEY-----

    """
  static let ed25519Public = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEA9LGEtuFxwaH2RLqwIBfvNz0HEI2IsmzHO68Tfe1vhNs=
    -----END PUBLIC KEY-----

    """
  /// Encrypted, with the password "x".
  static let encryptedPrivate = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhjmNUfNv5D6gICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGOmOlaH5JX8wpUr2s50mjEEQMK5
    0RGz6oREGiDmK/YteWfK2DQ3qGKuh1SAqmrfYxJubXw/ctRhln6sgpv43l2BKokY
    KqRbydMTotHu7WUc4FA=
    -----END ENCRYPTED PRIVATE KEY-----

    """
  static let p256Private = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEIPTO87nUmZL8sy6eRyfwZjWraCZFP4PH0qtmDmXy4C0RoAoGCCqGSM49
    AwEHoUQDQgAEejB2O/BB2bvtbmadq8lBySGJPkao9xmCgBtVJWYe6pgw9c3K5YYa
    pjUtmQVlRu6e495hmXZ2ISunTCAMOQxCNA==
    -----END EC PRIVATE KEY-----

    """
  static let p256Public = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEejB2O/BB2bvtbmadq8lBySGJPkao
    9xmCgBtVJWYe6pgw9c3K5YYapjUtmQVlRu6e495hmXZ2ISunTCAMOQxCNA==
    -----END PUBLIC KEY-----

    """
  static let p384Public = """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEiiossBL3SnI/2BsiyZvWDGvlLORI2Khp
    L+LL54unc3QeUtjrBpu08X8KluaZLwDl7drAepaKZgtG1+V/vQbguiEnB4VASsNm
    6SJELtdq/XhGFidzJYLKnTfcnjf/BiEa
    -----END PUBLIC KEY-----

    """
  /// With 1,024 bits.
  static let shortRSAPublic = """
    -----BEGIN PUBLIC KEY-----
    MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDfALEDPwzUTxiOlwkHfIKtzGrH
    SluFrK3aR155RLvLg9IPeQHC54l8dCsKYXagqrowT/SzSphOWSbvqPPO1ORf8NCq
    kaZa71wQ5WHorqShHBHAKRslf2EiGjfFmNmux1v9XHLre0bFYMKSjItn9yWBzhtd
    l9bjjlAE+M57a0HPhwIDAQAB
    -----END PUBLIC KEY-----

    """
  static let rsaPrivate = """
    -----BEGIN PRIVATE KEY-----
    MIIEuwIBADANBgkqhkiG9w0BAQEFAASCBKUwggShAgEAAoIBAQC9VHxXIpUAd4ii
    bfp5L0vGyEF+Rm6bBlsPqBVEqcCbMe4TmLpC7dxPBUknMaveoLVRHB1W5G8i+pdN
    ecw9EYNyO+XrjPpp5Gsq71ymoAw8lJHT6QltNIM3XLwR+SRoJM6sYYY7MlhgOKJL
    G2oCmlbLWMSs9PDqNL9iKWfaxEwEtKQLokvfk9Maj47TdscuQdNynQR2MVgdsgWi
    b1XT2yEDi0vqX30+qMjVrdzgdyBu38e3+BlaYHh6PcexCYnI6WDOb5Ls3LEIxmZ8
    lmOxqMKHGopJMGqNODd4XHviZlOiv5F/EP/GURh9Y3DzzGEgpeSLia7rFuQSVcya
    zblztdubAgMBAAECgf8qR2sysm/rW+oFou7P6I8OAsu4+ILyeaUBMulvhTB3NvXL
    Vn2rAvF8t3tQ1q6i28fWrCG38ZHB2woaJsUyAwc7N5j2plNUk59+O0YxG4tMbh4t
    IXDKYEdW/9L2UqkP9i60tSjovW6xI9cTDmm4cIZKLoRi9OxVAWDN1s43nGLRWlti
    YI16rDd1ovV6J+UVEAkbCUPW6smojDcKKmW/VTpVuqEKnLuWhAPWhzsSemuf8a8m
    Vz8puAMhQZYdlofzPLAmEHqwZchBj3vwnoDA69OTpu0HHHvEIq1N2y2iUlBZA2SG
    8WNYd9d/au/AEJLaucHWtON79BnKpW86V88lsiECgYEA+0mzfKoqf06kCzPuH5yh
    izSEn6RHw9C1OQSxH3ecMBvEWTDk1jH8PUfoqGd8a47O8MVhgCNfAjxhtBL+DVoZ
    NR7FMyOX6/wczByXE9Jg1bHJnMdeI5vItGiSk9S7jU6sVuMjIIVhvgmf2ESlIwCi
    G73A2IjoXJSsM7eyVAzzvPUCgYEAwOFboq4nTXXLxCn2geKy/qAtfBifOYV+emEi
    YpAKK3G9UdUcB29IaLgePeZ57n6s7chFACLpPLRe5snOvHPTPgB7tVB7B/WKXBEM
    9KcEZAka+oWg7ql8acwNgDjRGNYe5EeuKMKw0fp6JbIPmPwd1CdT0/Ges8QBJa4z
    wvQs3E8CgYEAr6/rqXFfnPpifuKjzb44w5bIUsUM178HtQGuxI1fydLgCGvC0m7I
    KCAqbfNMbfa+gF+/t1MDjhChTsEoljU0Aous3AA6q2bsy1gB2H3x7fYLO224R7UX
    Mesa7/h/2F/05hqP6KDYoYEhHJeBzWMX88VLGxk9O91GODJqn5EeqDECgYAWWwhv
    9pd/luOjPOnhbBErCg27kG8ED8D1FkUR/3fuSSSUU4sIIZHW8WAv9IK1beFFPi0h
    MuqtqopFXaakmRgm2497GHTqGz+KJD/IK4OKxLNnzg01HFfbO1dlQTCbHFZARz6c
    YtRzwgBeViEQrkgWyuggbKTkWRd48pP1SK/aaQKBgDYqDs1eJI/YyG10OhY7JZqI
    nUJZCPj82xX2Dk195SyUs05L7pgWcjF1Moh6habc33nKU2f27VMJEW/l9YFgmArf
    inN/0W4IxB4zZHA8sCJGrV9AZ2iVhHbeIo5HAcw5+WvAnDZ3+5BlczAJRQkeEl/Q
    bFIeiiSvflVahDEbu2Yt
    -----END PRIVATE KEY-----

    """
}
